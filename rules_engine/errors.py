"""What can be wrong with what the engine is given. Each message names the fact and says what is wrong with it."""


class EngineError(ValueError):
    """Something given to the engine cannot be used; the message is fit to show to a person."""


class ImpossibleFacts(EngineError):
    """Facts that cannot be at a real table: refused, not ruled on. (Irregular facts are ruled on.)"""

    def __init__(self, fact: str, reason: str) -> None:
        self.fact = fact
        self.reason = reason
        super().__init__(f"{fact}: {reason}")


class NotRegulated(EngineError):
    """The rulebook has no rule for this kind of incident."""


class UnknownName(EngineError):
    """No rulebook, topic, article or question of that name."""

    def __init__(self, what: str, name: str, known: object = ()) -> None:
        listed = ", ".join(sorted(map(str, known)))  # type: ignore[call-overload]
        super().__init__(f"unknown {what} {name!r}" + (f"; known: {listed}" if listed else ""))
