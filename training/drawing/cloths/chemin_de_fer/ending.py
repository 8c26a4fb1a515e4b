"""The state of a chemin de fer table before or after the ruling: people, bank, garage, shoe and disputed chips."""

from collections.abc import Callable
from typing import Any, NamedTuple

from rules_engine.games.chemin_de_fer.bank.partners import PartnerActs
from rules_engine.games.chemin_de_fer.stakes.covering import TableBancoAdds
from rules_engine.games.chemin_de_fer.table import Situation
from training.drawing.scene import Scene

# Decisions that move something at the table, besides cards and payments.
MOVES = (
    "bank_to",
    "bank_amount",
    "next_bank",
    "bank_counts",
    "garage",
    "cards_to",
    "seat_to",
    "stake_plays",
    "extra_plays",
)
# The facts of an incident that say how many chips were put down.
SUMS = ("amount", "adds", "extra", "down")
NOBODY = "nobody"
ONLY_SAID = "spoken"  # the spot of a stake that was only announced


class Offer(NamedTuple):
    """Disputed chips. `plays` is how much of them the ruling lets play; None before it. `beside` is the other place, if
    they lie between two; `line`: they lie on the line."""

    player: str
    amount: int
    plays: int | None = None
    beside: str = ""
    line: bool = False

    @property
    def kind(self) -> str:
        return "offered" if self.plays is None else "won" if self.plays else "lost"

    def total(self, written: Callable[[int], str]) -> str:
        if self.plays is None or self.plays == self.amount:
            return written(self.amount)
        return f"{written(self.plays)} / {written(self.amount)}"


class Standing(NamedTuple):
    """Who sits and stands, who holds the bank and the ponto's cards, bank, garage and disputed chips."""

    seats: tuple[int, ...]
    standing: tuple[str, ...]
    banker: str
    holder: str | None
    bank: int
    garage: int
    offers: tuple[Offer, ...]

    @classmethod
    def of(cls, situation: Situation) -> "Standing":
        return cls(
            tuple(situation.seats),
            tuple(situation.standing),
            situation.banker if situation.in_play else "",
            situation.holder,
            _bank(situation),
            situation.garage,
            offers(situation),
        )


def _bank(situation: Situation) -> int:
    """The chips that lie in the bank, which may differ from the announced amount."""
    incident: Any = situation.incident
    short: int = getattr(incident, "down", 0) if getattr(incident, "player", "") == situation.banker else 0
    return short or getattr(incident, "laid_out", 0) or situation.bank


def offers(situation: Situation) -> tuple[Offer, ...]:
    """The chips that were put down or offered in the incident, besides the stakes."""
    incident: Any = situation.incident
    people = {*map(str, situation.seats), *situation.standing}
    if isinstance(several := getattr(incident, "offers", ()), tuple) and several:
        return tuple(Offer(stake.player, stake.amount) for stake in several if stake.player in people)
    if getattr(incident, "spot", "") == ONLY_SAID:
        return ()
    player = getattr(incident, "player", None) or getattr(incident, "partner", None)
    if player == situation.banker and hasattr(incident, "down"):
        return ()  # the banker's chips are the bank
    if isinstance(incident, TableBancoAdds):
        player = situation.holder
    # The result of the bank that a partner shares lies in the bank, not in front of the partner.
    names = ("adds",) if isinstance(incident, PartnerActs) else SUMS
    sums = [getattr(incident, name, None) for name in names]
    found = [amount for amount in sums if isinstance(amount, int) and not isinstance(amount, bool) and amount]
    beside = getattr(incident, "neighbour", None) or ""
    line = bool(beside) and incident.line
    return (Offer(str(player), found[0], beside=beside, line=line),) if player in people and found else ()


def ended(scene: Scene) -> Standing:
    """The state after the ruling, or before it if there is none."""
    before = Standing.of(scene.situation)
    if scene.after is None:
        return before
    decided = scene.decided
    after = before._replace(bank=max(0, before.bank + scene.results.get("bank", 0)))
    people = {*map(str, before.seats), *before.standing}
    if (banker := decided.get("bank_to")) is not None and banker != before.banker:
        after = after._replace(banker=banker if banker in people else "", bank=_taken_up(scene, before), holder=None)
    for name in ("next_bank", "bank_amount", "bank_counts"):
        if isinstance(amount := decided.get(name), int):
            after = after._replace(bank=amount)
    if isinstance(garage := decided.get("garage"), int):
        after = after._replace(garage=garage)
    if decided.get("cards_to") in people:
        after = after._replace(holder=decided["cards_to"])
    return _seated(scene, after)._replace(offers=tuple(_played(scene, offer) for offer in before.offers))


def _taken_up(scene: Scene, before: Standing) -> int:
    """The amount of a bank that has passed on; 0 if it is not known yet."""
    match scene.decided.get("hand_next"):
        case "level":
            return before.bank
        case "resumed":
            return getattr(scene.situation.incident, "resumes_for", 0) or before.bank
    return 0


def _seated(scene: Scene, state: Standing) -> Standing:
    """Move the player who gets a free seat there from where he stood."""
    seat, to = getattr(scene.situation.incident, "seat", None), scene.decided.get("seat_to")
    if not isinstance(seat, int) or to not in state.standing:
        return state
    return state._replace(
        seats=tuple(sorted({*state.seats, seat})), standing=tuple(one for one in state.standing if one != to)
    )


def _played(scene: Scene, offer: Offer) -> Offer:
    """Set how much of an offer plays, if the ruling says so."""
    if (owner := scene.decided.get("stake_of")) is not None:
        return offer._replace(plays=0 if owner == NOBODY else offer.amount)
    for name in ("extra_plays", "stake_plays"):
        if isinstance(plays := scene.decided.get(name), int):
            return offer._replace(plays=min(plays, offer.amount))
    allowed = scene.decided.get("allowed")
    return offer._replace(plays=offer.amount if allowed == "allowed" else 0) if allowed else offer
