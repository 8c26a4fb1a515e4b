"""What a case at a layout is about: chips that somebody puts down, offers or brings late, and bets that are touched."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from training.drawing import words
from training.drawing.scene import Scene
from training.drawing.tokens import Token, outline, short

PLACES = ("place", "")  # wishes that bring chips; any other is about those that lie there
ALLOWED = "allowed"


@dataclass(frozen=True)
class Offer:
    """Chips to be ruled on: on the spot where they were put, or without one, still before their player."""

    player: str
    count: int
    value: int
    spot: str = ""

    @property
    def id(self) -> str:
        return f"offer:{self.player}"


def offer(scene: Scene) -> Offer | None:
    """The chips to be ruled on; once it is ruled that they go back, none."""
    goes_back = scene.after is not None and scene.decided.get(ALLOWED) != ALLOWED
    return None if goes_back else offer_of(scene.situation)


def ends_offer(situation: Any, decided: Mapping[str, Any]) -> bool:
    """Whether a ruling says what becomes of chips that were offered."""
    return ALLOWED in decided and offer_of(situation) is not None


def offer_of(situation: Any) -> Offer | None:
    incident: Any = situation.incident
    player, wish = getattr(incident, "player", None), getattr(incident, "wish", "")
    if player is None and hasattr(incident, "amount"):
        player = str(getattr(incident, "seat", "")) or None  # whoever sits there
    if not isinstance(player, str) or wish not in PLACES:
        return None
    facts = {name: getattr(incident, name) for name in incident.__struct_fields__}
    count, value = facts.get("count", 1), facts.get("value" if "count" in facts else "amount", 0)
    # A spot that is worked out from a chance and numbers would tell whether there is one: only a fact says where it is,
    # or an incident whose facts always name one.
    spot = str(facts.get("spot") or facts.get("on") or getattr(incident, "offered_on", ""))
    return Offer(player, count, value, spot) if count and value else None


def touched(scene: Scene, player: str, spot: str) -> bool:
    """Whether the case is about this bet: somebody wants to move it, take it or leave it."""
    incident: Any = scene.situation.incident
    wish = getattr(incident, "wish", "")
    if scene.after is not None or not wish or wish in PLACES or getattr(incident, "player", None) != player:
        return False
    return getattr(incident, "spot", spot) == spot


def focus(scene: Scene) -> list[str]:
    """What an enlarged table opens on, by the ids of parts: the chips in dispute, else whoever the case speaks of."""
    incident: Any = scene.situation.incident
    if (found := offer(scene)) is not None:
        return [found.id]
    player, spot = getattr(incident, "player", None), getattr(incident, "spot", None)
    if not isinstance(player, str):
        return []
    return [f"stake:{player}:{spot}", f"place:{player}"] if isinstance(spot, str) else [f"place:{player}"]


def offered_token(scene: Scene, found: Offer, at: tuple[int, int], size: tuple[int, int]) -> Token:
    (x, y), (wide, high) = at, size
    return Token(
        found.player, x, y, wide, high, found.count, short(found.value, scene.language), outline(found.value),
        "token" if scene.after is not None else "token offered", found.player in scene.lit, found.spot, found.id,
    )  # fmt: skip


def told(scene: Scene) -> list[str]:
    """The same in words, where those of its player do not tell it."""
    found = offer(scene)
    if found is None or scene.after is not None or words.offered(scene, found.player):
        return []
    values = {"place": found.player, "sum": scene.money(found.count * found.value)}
    return [_("Place %(place)s, chips to be ruled on: %(sum)s.") % values]
