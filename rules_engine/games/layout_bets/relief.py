"""How long the dealer who throws the ball or the dice may stay (roulette and banca francesa)."""

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from rules_engine.authoring import Draw, Reasoning, Rulebook, Sentence

Minutes = Annotated[int, Meta(ge=0, le=600)]
Reason = Literal["none", "wish", "players_ask", "force_majeure"]
REASONS: tuple[Reason, ...] = ("none", "wish", "players_ask", "force_majeure")
RELIEF = ("now", "not_yet", "stays_reported")


class ThrowerOn(Struct, frozen=True, kw_only=True):
    """How long the thrower has been on duty, and the reason given for staying."""

    minutes: Minutes
    reason: Reason = "none"

    def narration(self) -> list[Sentence]:
        return thrower_told(self.minutes, self.reason)


def thrower_told(minutes: int, reason: Reason) -> list[Sentence]:
    return [("incident.thrower_on", {"minutes": minutes}), (f"incident.thrower_{reason}", {})]


def explain_relief(r: Reasoning, cite: str, minutes: int, reason: Reason) -> str:
    """Whether the thrower must be relieved: one of RELIEF. Only force majeure keeps a thrower on after the hour."""
    hour = r.book.number("relief_minutes")
    if minutes < hour:
        text, relief = "hour_not_over", "not_yet"
    elif reason == "force_majeure":
        text, relief = "force_majeure", "stays_reported"
    else:
        text, relief = "hour_over", "now"
    r.pivot(cite, text, minutes=minutes, hour=hour)
    return relief


def some_thrower(draw: Draw, book: Rulebook, difficulty: int) -> dict[str, Any]:
    """The facts of a ThrowerOn. Easy: well before or after the hour. Hard: close to it, with good and bad reasons."""
    hour = book.number("relief_minutes")
    before, after = ((hour - 1,), (hour, hour + 1)) if difficulty >= 3 else ((hour - 20, hour - 10), (hour + 10,))
    soft = REASONS[:3] if difficulty >= 2 else REASONS[:1]
    branch = draw.pick(("before", "soft", "major"))
    minutes = draw.pick(before if branch == "before" else after)
    return {"minutes": minutes, "reason": "force_majeure" if branch == "major" else draw.pick(soft)}
