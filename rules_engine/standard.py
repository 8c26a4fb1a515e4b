"""What the generated scenarios of a game must meet, and the exceptions that the law requires."""

from msgspec import Struct

from rules_engine.silences import TOPIC as SILENCES


class Standard(Struct, frozen=True, forbid_unknown_fields=True):
    """What the generated scenarios must meet, and the exceptions that the law requires (`quality.toml`).

    - `levels`: the levels of a topic that has fewer than five.
    - `structures`: for topics where the law allows fewer different cases than `least_structures`.
    - `plain`: questions (`kind question`) to which the law has only one answer, each with the reason.
    - `telling`: questions (`kind question`) whose answer may be guessed from the other questions or options, each with
      the reason.
    - `idle`: options (`question option`) and phrases (`kind question: phrase`) that are offered although they are never
      right, each with the reason.
    - `single`: topics (`topic`, or `rulebook topic`) whose highest level seldom combines two provisions, each with the
      reason.
    """

    levels: dict[str, tuple[int, ...]] = {}
    structures: dict[str, int] = {}
    plain: dict[str, str] = {}
    telling: dict[str, str] = {}
    idle: dict[str, str] = {}
    single: dict[str, str] = {}
    least_structures: int = 8
    most_frequent: float = 0.8

    def one_provision(self, book: str, topic: str) -> bool:
        """Whether one provision mostly answers a topic of a rulebook; where the law is silent, none does."""
        return topic == SILENCES or not {topic, f"{book} {topic}"}.isdisjoint(self.single)
