"""A row of machines in words: the print on the panels and the list for screen readers."""

from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from rules_engine import spots
from rules_engine.games.machines import GAME
from rules_engine.words import grouped
from training.drawing import words
from training.drawing.chips import written
from training.drawing.scene import Scene


def machine_name(number: int, language: str) -> str:
    return spots.spot_name(str(number), GAME.books[0], language)


def price(scene: Scene, amount: int) -> str:
    """A sum as a display shows it, without room for the name of the currency."""
    return f"{written(amount)}$00" if scene.currency == "PTE" else f"€{written(amount)}"


def shown(scene: Scene) -> list[Any]:
    """The machines as their panels show them at this moment, in order."""
    panel = scene.situation.incident.panel
    return sorted(map(panel, scene.situation.machines), key=lambda machine: int(machine.number))


def told(scene: Scene) -> list[str]:
    """Every machine with its panel and its player, then who waits and what is paid."""
    situation = scene.situation
    row = shown(scene)
    found = [words.joined(list(_machine(scene, machine))) for machine in row]
    if situation.superjackpot:
        found.append(_("Superjackpot of the linked machines: %(sum)s.") % {"sum": scene.money(situation.superjackpot)})
    found += [
        _("Guest %(place)s, by machine %(number)s.") % {"place": one, "number": one[0]}
        for one in sorted(situation.standing)
    ]
    return found + list(_paid(scene))


def _machine(scene: Scene, machine: Any) -> Iterator[str]:
    model = GAME.books[0].text(f"model.{machine.model}", scene.language)
    values = {"number": machine.number, "model": model}
    yield _("Machine %(number)s: %(model)s") % values
    yield _("stake %(sum)s") % {"sum": scene.money(machine.stake)}
    if machine.out:
        yield pgettext("machine", "out of service")
    elif machine.player is None:
        yield pgettext("machine", "free")
    else:
        yield _("played by player %(place)s") % {"place": machine.player}
    if machine.jackpot:
        yield _("jackpot %(sum)s") % {"sum": scene.money(machine.jackpot)}
    if machine.linked:
        yield _("linked for the superjackpot")
    yield from _shown(scene, machine)


def _shown(scene: Scene, machine: Any) -> Iterator[str]:
    if machine.won == "jackpot":
        yield _("the panel shows the jackpot")
    if machine.won == "superjackpot":
        yield _("the panel shows the superjackpot")
    if machine.prize:
        yield ngettext("prize of %(count)d token", "prize of %(count)d tokens", machine.prize) % {
            "count": machine.prize
        }
    if machine.credits:
        yield ngettext("%(count)d credit", "%(count)d credits", machine.credits) % {"count": machine.credits}
    if "limit" in scene.situation.incident.tells:
        limit = machine.pays_up_to
        yield ngettext("pays up to %(count)d token", "pays up to %(count)d tokens", limit) % {"count": limit}
    counters = {"in": machine.tokens_in, "paid": machine.prizes_paid, "kept": machine.tokens_kept}
    if any(counters.values()):
        shown = {name: grouped(count, scene.language) for name, count in counters.items()}
        yield _("counters: %(in)s in, %(paid)s paid, %(kept)s kept") % shown


def _paid(scene: Scene) -> Iterator[str]:
    for payment in scene.after.payments if scene.after else ():
        values = {"place": payment.payee, "number": payment.spot, "sum": scene.money(payment.amount)}
        if payment.spot:
            yield _("Machine %(number)s: %(sum)s for player %(place)s.") % values
        else:
            yield _("The cashier pays player %(place)s %(sum)s.") % values
