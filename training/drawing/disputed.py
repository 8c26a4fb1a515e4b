"""What a case is about: chips put down, offered or brought late, and bets somebody wants to change."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from training.drawing import words
from training.drawing.scene import Scene
from training.drawing.tokens import Token, short

PLACES = ("place", "")  # wishes that add chips; all others are about bets already on the table
ALLOWED = "allowed"


@dataclass(frozen=True)
class Offer:
    """Chips to be ruled on: on their spot, or still in front of the player if there is none."""

    player: str
    count: int
    value: int
    spot: str = ""

    @property
    def id(self) -> str:
        return f"offer:{self.player}"


def offer(scene: Scene) -> Offer | None:
    """The chips to be ruled on; None once the ruling gives them back."""
    goes_back = scene.after is not None and scene.decided.get(ALLOWED) != ALLOWED
    return None if goes_back else offer_of(scene.situation)


def ends_offer(situation: Any, decided: Mapping[str, Any]) -> bool:
    """Whether a ruling decides on offered chips."""
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
    # Take the spot only from facts that name it. Working it out from a chance and numbers would reveal whether such a
    # spot exists.
    spot = str(facts.get("spot") or facts.get("on") or getattr(incident, "offered_on", ""))
    return Offer(player, count, value, spot) if count and value else None


def touched(scene: Scene, player: str, spot: str) -> bool:
    """Whether the case is about this bet, which its player wants to change."""
    incident: Any = scene.situation.incident
    wish = getattr(incident, "wish", "")
    if scene.after is not None or not wish or wish in PLACES or getattr(incident, "player", None) != player:
        return False
    return getattr(incident, "spot", spot) == spot


def focus(scene: Scene) -> list[str]:
    """The ids an enlarged table opens on: the disputed chips, else the player the case is about."""
    incident: Any = scene.situation.incident
    if (found := offer(scene)) is not None:
        return [found.id]
    player, spot = getattr(incident, "player", None), getattr(incident, "spot", None)
    if not isinstance(player, str):
        return []
    return [f"stake:{player}:{spot}", f"place:{player}"] if isinstance(spot, str) else [f"place:{player}"]


def offered_token(
    scene: Scene, found: Offer, at: tuple[int, int], size: tuple[int, int], *, within: bool = False
) -> Token:
    (x, y), (wide, high) = at, size
    return Token(
        found.player, x, y, wide, high, found.count, short(found.value, scene.language), scene.kit.design(found.value),
        "token" if scene.after is not None else "token offered", found.player in scene.lit, found.spot, found.id,
        within=within, kit=scene.kit,
    )  # fmt: skip


def told(scene: Scene) -> list[str]:
    """The offer in words, unless the words about its player already say it."""
    found = offer(scene)
    if found is None or scene.after is not None or words.offered(scene, found.player):
        return []
    values = {"place": found.player, "sum": scene.money(found.count * found.value)}
    return [_("Place %(place)s, chips to be ruled on: %(sum)s.") % values]
