"""The stops of the guided first coups: what each shows, says and asks."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from rules_engine.game import GuidedCoup


@dataclass(frozen=True)
class Stop:
    """A stop.

    - `points`: what lights up.
    - `topics`: its case comes from the first of these that the rulebook has.
    - `asks`: it asks the first of these questions that the case has (`*`: any), unless the answer is in `unless`.
    - `table`: the drawing table to show.
    """

    title: Promise
    text: Promise
    points: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    asks: tuple[str, ...] = ()
    unless: tuple[str, ...] = ()
    table: str = ""


THE_END = Stop(
    _("That is all you need to begin"),
    _(
        "Every new rule comes with a card first: what it says, the words, and an example. Then you try it. What"
        " you miss comes back with other facts; what you know comes back later and later."
    ),
)
ALL_IS_WELL = ("allowed", "stands", "counts", "announce_result")
FAULT = _("Something went wrong: you rule")
FAULT_TEXT = _(
    "Most of the craft is here: a card too many, a word too early. You say what stands and what does not, by "
    "the article. Read what happened and decide. A miss costs nothing here."
)

SAID = _(
    "This moment has fixed words, said aloud: «%(words)s». Say them for this table; capitals, accents and "
    "commas do not matter, numbers do."
)

PLAYER_BANK = (
    Stop(
        _("The table from your chair"),
        _("You sit at the bottom. Seat 1 is at your right hand; the numbers run round to seat 9 at your left."),
        points=("1", "9"),
        topics=("card_values", "third_card", "draw_faults"),
    ),
    Stop(
        _("The banker has the double ring"),
        _("Seat %(banker)s holds the bank and the shoe. The bank's chips lie before you, with their sum."),
        points=("banker", "bank"),
    ),
    Stop(
        _("The gold place plays the ponto's cards"),
        _("One player plays the cards for all who stake against the bank: the place in gold with two small cards."),
        points=("holder",),
    ),
    Stop(
        _("Stakes and the line"),
        _(
            "Chips lie before the place they belong to, with their sum. The arc before each seat is the line: a"
            " stake on it plays half."
        ),
        points=("stakes",),
    ),
    Stop(
        _("Count the cards"),
        _("The ace counts 1, court cards nothing, the others their pips. Of the sum only the last digit counts."),
        points=("ponto",),
        topics=("card_values", "draw_faults", "croupier_faults"),
        asks=("ponto_score", "banker_score"),
    ),
    Stop(
        _("Say the result"),
        SAID,
        points=("hands",),
        topics=("card_values", "announcements"),
        asks=("announcement",),
    ),
    Stop(
        _("The third card"),
        _(
            "From his score and the card that the ponto took, the table says whether the banker draws (T), "
            "stands (F) or may choose (O)."
        ),
        points=("hands",),
        topics=("third_card", "discard_faults"),
        asks=("banker_draw",),
        table="banker_table",
    ),
    Stop(
        FAULT,
        FAULT_TEXT,
        topics=("croupier_faults", "discard_faults", "draw_faults"),
        asks=("coup", "winner", "banker_score"),
        unless=ALL_IS_WELL,
    ),
    THE_END,
)

HOUSE_BANK = (
    Stop(
        _("The table from your chair"),
        _(
            "You sit at the bottom and deal both hands. Ponto and bank are names of hands: anybody may bet on "
            "either, or on a tie."
        ),
        points=("hands",),
        topics=("drawing",),
    ),
    Stop(
        _("Count the cards"),
        _(
            "The ace counts 1, tens and court cards nothing, the others their pips. Of the sum only the last digit "
            "counts. With 8 or 9 nobody draws."
        ),
        points=("hands",),
    ),
    Stop(
        _("The ponto first"),
        _("Nobody chooses here: the table decides. Does the ponto draw (T) or stand (F)?"),
        points=("ponto",),
        topics=("drawing",),
        asks=("ponto_draw",),
        table="ponto_table",
    ),
    Stop(
        _("Then the banca"),
        _(
            "Its third card depends on its own score and on the card that the ponto took. Find the row, then "
            "the column."
        ),
        points=("hands",),
        topics=("drawing",),
        asks=("banker_draw",),
        table="banker_table",
    ),
    Stop(
        _("Who wins"),
        _("The hand nearer to nine wins. You say the scores and the winning hand aloud, collect what lost, then pay."),
        points=("hands",),
        topics=("payout", "drawing"),
        asks=("winner",),
    ),
    Stop(FAULT, FAULT_TEXT, topics=("lapses", "shoe"), asks=("coup", "allowed"), unless=ALL_IS_WELL),
    THE_END,
)

GENERAL = (
    Stop(
        _("The table from your chair"),
        _(
            "You see everything as the croupier does, from the bottom of the drawing. What lies there can be "
            "read below it in words too."
        ),
        topics=("payout", "paying"),
    ),
    Stop(
        _("What lights up is what counts"),
        _(
            "Chips carry their sum and lie on the very spot they play. Under the table stands what happened; "
            "read it first, then rule."
        ),
        points=("stakes",),
    ),
    Stop(
        _("A first question"),
        _(
            "Questions are put in the order of the table. Answer this one: it is marked at once, and nothing is"
            " kept of it."
        ),
        asks=("*",),
    ),
    Stop(
        _("Say it"),
        SAID,
        topics=("spin", "announcing", "reading", "insurance", "null_coup", "null_spin", "void_throw"),
        asks=("announcement",),
    ),
    Stop(
        FAULT,
        FAULT_TEXT,
        topics=("faults", "null_spin", "null_throw", "void_throw", "null_coup", "disputes"),
        asks=("*",),
        unless=ALL_IS_WELL,
    ),
    THE_END,
)

GUIDES: Mapping[GuidedCoup, tuple[Stop, ...]] = {
    "player_bank": PLAYER_BANK,
    "house_bank": HOUSE_BANK,
    "general": GENERAL,
}
