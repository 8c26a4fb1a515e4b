"""Preparing the cards: opening, shuffling, gathering, and the order of steps until the shoe is loaded.

Portugal 7, 8, 12 (s2, s3), 13 (s1, s3); Sanremo 3, 4 (s1, s2), 7. Who may shuffle is in shuffling.
"""

from typing import Literal

from rules_engine.authoring import NotRegulated, Reasoning, Rulebook, Sentence, Utterance, variant
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.chemin_de_fer.books import PT, SANREMO
from rules_engine.games.chemin_de_fer.game import case, case_table, domain, rule
from rules_engine.games.chemin_de_fer.shoe.moments import check_present, first_shoe, later_shoe
from rules_engine.games.chemin_de_fer.table import Incident, Place, Situation

Done = Literal[
    "brought_new",
    "brought_used",
    "spread_new",
    "turned",
    "player_shuffled",
    "shuffled",
    "gathered",
    "offered",
    "cut",
    "exchanged",
    "warned",
]
Handling = Literal["one_heap", "closed_hands", "interleaves", "chosen_packet", "known_card"]

domain(
    "prepare_next",
    "open_and_show",
    "sort_by_suit",
    "turn_down",
    "player_shuffles",
    "shuffle",
    "gather",
    "offer_shuffle",
    "cut",
    "exchange_parts",
    "warning_card",
    "load",
    # In Portugal players ask to shuffle; in Sanremo they are invited to.
    unknown={**dict.fromkeys(PT, ("offer_shuffle",)), SANREMO: ("exchange_parts", "sort_by_suit")},
)

# What follows each step, and the clause that says so. A player's shuffle is inserted where somebody asked for it.
AFTER_PT = {
    "brought_new": ("open_and_show", "7"),
    "brought_used": ("sort_by_suit", "8"),
    "spread_new": ("turn_down", "7"),
    "turned": ("shuffle", "12 s2"),
    "player_shuffled": ("shuffle", "12 s2"),
    "shuffled": ("gather", "12 s2"),
    "gathered": ("cut", "13 s1"),
    "cut": ("exchange_parts", "13 s3"),
    "exchanged": ("warning_card", "13 s3"),
    "warned": ("load", "29"),
}
AFTER_SANREMO = {
    "brought_new": ("open_and_show", "3"),
    "spread_new": ("turn_down", "3"),
    "turned": ("shuffle", "3"),
    "shuffled": ("gather", "4 s1"),
    "gathered": ("offer_shuffle", "4 s2"),
    "offered": ("cut", "6 s1"),
    "player_shuffled": ("shuffle", "5 s1"),
    "cut": ("warning_card", "7"),
    "warned": ("load", "7"),
}


class ShoeInMaking(Incident, frozen=True, tag="shoe_in_making"):
    """The cards are being prepared; `done` is the last step. `asked` wants to shuffle."""

    setting_up = True

    done: Done
    asked: Place | None = None

    def check(self, situation: Situation) -> None:
        check_present(situation, "asked", (self.asked,) if self.asked else ())

    def narration(self) -> list[Sentence]:
        told: list[Sentence] = [(f"incident.shoe_in_making.{self.done}", {})]
        if self.asked:
            told.append(("incident.shoe_in_making.asked", {"asked": self.asked}))
        return told


class CroupierShuffles(Incident, frozen=True, tag="croupier_shuffles"):
    """A way in which a croupier handles the cards while he shuffles."""

    setting_up = True

    does: Handling

    def narration(self) -> list[Sentence]:
        return [(f"incident.croupier_shuffles.{self.does}", {})]


class ShuffleToOffer(Incident, frozen=True, tag="shuffle_to_offer"):
    """The cards lie gathered in one pack, and the players are to be asked whether they wish to shuffle."""

    setting_up = True


@rule(ShoeInMaking, *PT)
def shoe_in_making_pt(s: Situation, incident: ShoeInMaking, r: Reasoning) -> None:
    if incident.done not in AFTER_PT:
        raise NotRegulated("art. 12: in Portugal players ask to shuffle, they are not invited to")
    step, cite = AFTER_PT[incident.done]
    if incident.done == "turned" and incident.asked and incident.asked.isdigit():
        step, cite = "player_shuffles", "12 s1"
    r.pivot(cite, f"shoe.next_{step}")
    r.choice("prepare_next", step)


@rule(ShoeInMaking, SANREMO)
def shoe_in_making_sanremo(s: Situation, incident: ShoeInMaking, r: Reasoning) -> None:
    if incident.done == "exchanged":
        raise NotRegulated("art. 7 does not say that the two parts of the pack are exchanged")
    if incident.done not in AFTER_SANREMO:
        raise NotRegulated("art. 3 only tells how new packs are spread")
    step, cite = AFTER_SANREMO[incident.done]
    entitled = incident.asked and incident.asked.isdigit() and incident.asked != s.banker
    if incident.done == "offered" and entitled:
        step, cite = "player_shuffles", "5 s1"
    r.pivot(cite, f"shoe.next_{step}")
    r.choice("prepare_next", step)


@rule(CroupierShuffles, *PT)
def croupier_shuffles_pt(s: Situation, incident: CroupierShuffles, r: Reasoning) -> None:
    """He must shuffle well and may interleave; he may not arrange anything on purpose."""
    arranged = incident.does in ("chosen_packet", "known_card")
    if incident.does in ("one_heap", "closed_hands"):
        r.pivot("12 s2", "shoe.one_heap_spread_fingers")
    else:
        r.step("12 s2", "shoe.may_interleave", pivot=not arranged)
        r.step("12 s3", "shoe.order_changed" if arranged else "shoe.order_not_changed", pivot=arranged)
    r.choice("allowed", "refused" if arranged or incident.does == "closed_hands" else "allowed")


@rule(CroupierShuffles, SANREMO)
def croupier_shuffles_sanremo(s: Situation, incident: CroupierShuffles, r: Reasoning) -> None:
    if incident.does not in ("one_heap", "closed_hands"):
        raise NotRegulated("art. 3 only says that hands are open and fingers apart")
    r.pivot("3", "shoe.open_hands")
    r.choice("allowed", "allowed" if incident.does == "one_heap" else "refused")


@rule(ShuffleToOffer, SANREMO)
def shuffle_to_offer_sanremo(s: Situation, incident: ShuffleToOffer, r: Reasoning) -> None:
    r.step("4 s1", "shoe.gathered_before_players")
    r.pivot("4 s2", "shoe.cards_pass")
    r.words("cards_pass", tempting=[Utterance("closed"), Utterance("who_stakes_accepts"), Utterance("cards_speak")])


def _making(draw: Draw, book: Rulebook, difficulty: int, done: tuple[Done, ...]) -> Situation:
    return Situation(**first_shoe(draw, difficulty), incident=ShoeInMaking(done=draw.pick(done)))


@case("shoe", {PT[0]: "7", SANREMO: "3"})
def new_packs_opened(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    further: tuple[Done, ...] = ("turned",) if book.coded_as == SANREMO else ()
    return _making(draw, book, difficulty, ("brought_new", "spread_new", *further))


@case("shoe", {PT[0]: "8"})
def used_packs_spread(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return Situation(**later_shoe(draw, book, difficulty), incident=ShoeInMaking(done="brought_used"))


@case("shoe", {PT[0]: "12 s2"})
def cards_shuffled(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Harder: somebody who may not shuffle asks for it."""
    facts = first_shoe(draw, difficulty)
    done: Done = draw.pick(("turned", "shuffled", "player_shuffled"))
    asked = draw.pick(facts["standing"]) if done == "turned" and facts["standing"] else None
    return Situation(**facts, incident=ShoeInMaking(done=done, asked=asked))


@case("shoe", {PT[0]: "12 s1", SANREMO: "5 s1"})
def player_asks_to_shuffle(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts = first_shoe(draw, difficulty)
    asked = draw.pick([str(seat) for seat in facts["seats"] if str(seat) != facts.get("banker")])
    done: Done = "offered" if book.coded_as == SANREMO else "turned"
    return Situation(**facts, incident=ShoeInMaking(done=done, asked=asked))


@case("shoe", {SANREMO: "6 s1"})
def shuffle_is_declined(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Nobody who may shuffle wants to. Harder: the banker, or somebody standing, asks for it."""
    facts = first_shoe(draw, difficulty)
    asked = draw.pick([facts["banker"], *facts["standing"]]) if difficulty >= 3 else None
    return Situation(**facts, incident=ShoeInMaking(done="offered", asked=asked))


case_table(
    "shoe",
    variant("warning_card_in", {PT[0]: "29", SANREMO: "7"}, done=("warned",)),
    variant("cards_gathered", {SANREMO: "4 s1"}, done=("shuffled",)),
    variant("cards_in_one_pack", {PT[0]: "13 s1", SANREMO: "4 s2"}, done=("gathered",)),
)(_making)


@case("shoe", {PT[0]: "13 s3", SANREMO: "7"})
def cards_cut(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return _making(draw, book, difficulty, ("cut", "cut" if book.coded_as == SANREMO else "exchanged"))


@case("shoe", {PT[0]: "12 s2", SANREMO: "3"})
def shuffling_hands(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    does: Handling = draw.pick(("one_heap", "closed_hands"))
    return Situation(**first_shoe(draw, difficulty), incident=CroupierShuffles(does=does))


@case("shoe", {PT[0]: ("12 s2", "12 s3")})
def packets_handled(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    does: Handling = draw.pick(("interleaves", "chosen_packet", "known_card"))
    return Situation(**later_shoe(draw, book, difficulty), incident=CroupierShuffles(does=does))


@case("shoe", {SANREMO: "4 s2"})
def shuffle_is_offered(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return Situation(**later_shoe(draw, book, difficulty), incident=ShuffleToOffer())
