"""A betting layout: the spots that take chips. Every game with a printed cloth has its own."""

from typing import Annotated

from msgspec import Meta, Struct

SpotKey = Annotated[str, Meta(pattern="^[0-9a-z.-]+$", description="a spot of the layout: 17-20, dozen.1, red")]


class Spot(Struct, frozen=True):
    """A place for chips: `key` names it in facts and answers, `chance` is its bet, `numbers` are those it covers."""

    key: str
    chance: str
    numbers: tuple[int, ...] = ()
