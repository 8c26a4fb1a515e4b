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
    "This is most of the craft: a card too many, a word too early. You rule, by the article, on what stands "
    "and what does not. Read what happened and decide. A miss costs nothing here."
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
        _("Seat %(banker)s holds the bank and the shoe. The bank's chips lie in front of you, with their total."),
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
            "Chips lie in front of the place they belong to, with their total. The arc in front of each seat "
            "is the line: a stake on it plays for half."
        ),
        points=("stakes",),
    ),
    Stop(
        _("Count the cards"),
        _("The ace counts 1, court cards nothing, the others their pips. Only the last digit of the total counts."),
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
            "From the banker's score and the card the ponto took, the table says whether the banker draws (D), "
            "stands (S) or may choose (C)."
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
            "You sit at the bottom and deal both hands. Ponto and bank are just the names of the hands: "
            "anybody may bet on either, or on a tie."
        ),
        points=("hands",),
        topics=("drawing",),
    ),
    Stop(
        _("Count the cards"),
        _(
            "The ace counts 1, tens and court cards nothing, the others their pips. Only the last digit of the "
            "total counts. With 8 or 9 nobody draws."
        ),
        points=("hands",),
    ),
    Stop(
        _("The ponto first"),
        _("Nobody chooses here: the table decides. Does the ponto draw (D) or stand (S)?"),
        points=("ponto",),
        topics=("drawing",),
        asks=("ponto_draw",),
        table="ponto_table",
    ),
    Stop(
        _("Then the bank"),
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
            "You see everything as the croupier does, from the bottom of the drawing. Everything on the table "
            "can also be read in words below it."
        ),
        topics=("payout", "paying"),
    ),
    Stop(
        _("What lights up is what counts"),
        _(
            "Chips show their total and lie exactly where they play. What happened is described below the "
            "table: read it first, then rule."
        ),
        points=("stakes",),
    ),
    Stop(
        _("A first question"),
        _("Questions come in the order of the table. Answer this one: it is graded at once, and nothing is kept."),
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
