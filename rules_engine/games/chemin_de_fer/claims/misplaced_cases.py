"""Situations in which the wrong ponto has the cards, or somebody claims them from the right one: see misplaced.py."""

from rules_engine.authoring import Rulebook, one_of, variant
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.chemin_de_fer.books import PT, SANREMO
from rules_engine.games.chemin_de_fer.claims.misplaced import CardsElsewhere, Handled
from rules_engine.games.chemin_de_fer.claims.table_talk import (
    Facts,
    callers,
    close,
    company,
    seat_pontos,
    side_stakes,
    talk,
)
from rules_engine.games.chemin_de_fer.game import case, case_table
from rules_engine.games.chemin_de_fer.table import Call, Says, Situation, Stake


@case_table(
    "cards_to",
    variant("given_untouched", {PT[0]: "52 s1"}, came="given_cards", handled="untouched"),
    variant("given_unseen", {PT[0]: "52 s1"}, came="given_cards", handled="touched", suivi_first=True),
    variant("touched_first", {PT[0]: ("52 s1", "51 open")}, came="given_cards", handled="touched", suivi_first=False),
    variant("given_and_seen", {PT[0]: "52 s2"}, came="given_cards", handled=one_of("seen", "announced")),
    variant(
        "taken",
        {PT[0]: "53 s1", SANREMO: "117 s1"},
        came="takes_cards",
        handled=one_of("touched", "seen", "seen"),
        suivi_first=True,
    ),
    variant(
        "taken_first",
        {PT[0]: ("53 s1", "51 open"), SANREMO: "117 s1"},
        came="takes_cards",
        handled=one_of("touched", "seen", "seen"),
        suivi_first=False,
    ),
    variant("taken_and_announced", {PT[0]: "53 s2"}, came="takes_cards", handled="announced"),
)
def _against_suivi(
    draw: Draw, book: Rulebook, difficulty: int, *, came: Says, handled: Handled, suivi_first: bool | None = None
) -> Situation:
    """The largest stake has the cards; the loser of the last bancô claims them, before or after they were passed."""
    facts, stakes = _stakes(draw, book, difficulty)
    hand = stakes[0].player
    loser = draw.pick([place for place in callers(facts) if place != hand])
    first = draw.chance(0.5) if suivi_first is None else suivi_first
    calls = [close(), Call("banker", "dealt"), Call(hand, came)]
    calls.insert(0 if first else len(calls), Call(loser, "suivi"))
    before = CardsElsewhere(
        lost=loser,
        lost_by="suivi" if difficulty >= 3 and draw.chance(0.5) else "banco",
        handled=handled,
        consents=handled == "touched" and draw.chance(0.5),
    )
    return talk(facts, calls, before, stakes=stakes, draw=draw)


@case("cards_to", {SANREMO: "91"})
def overlooked_suivi(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    handled: Handled = draw.pick(("untouched", "touched", "seen"))
    return _against_suivi(draw, book, difficulty, came="given_cards", handled=handled, suivi_first=True)


@case("cards_to", {SANREMO: "90 s2"})
def suivi_too_late(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    handled: Handled = draw.pick(("touched", "touched", "seen"))
    return _against_suivi(draw, book, difficulty, came="given_cards", handled=handled, suivi_first=False)


@case_table(
    "cards_to",
    variant("taken_with_lower_stake", {SANREMO: "117 s1"}, came="takes_cards", handled=one_of("touched", "seen")),
    variant("taken_in_dispute", {SANREMO: "117 s2"}, came="takes_cards", handled="seen", dispute=True),
    variant("lower_stake_unseen", {SANREMO: "136 s1"}, came="given_cards", handled=one_of("untouched", "touched")),
    variant("lower_stake_seen", {SANREMO: "136 s2"}, came="given_cards", handled="seen"),
)
def _lower_stake(
    draw: Draw, book: Rulebook, difficulty: int, *, came: Says, handled: Handled, dispute: bool = False
) -> Situation:
    """The cards are with somebody whose stake is not the largest."""
    facts, stakes = _stakes(draw, book, difficulty)
    if difficulty >= 4:
        # Equal largest stakes: the one further from the banker's right has the cards.
        near, far = sorted(stakes[:2], key=lambda stake: seat_pontos(facts).index(stake.player))
        stakes[:2] = [Stake(near.player, stakes[0].amount), Stake(far.player, stakes[0].amount)]
    calls = [close(), Call("banker", "dealt"), Call(stakes[1].player, came)]
    before = CardsElsewhere(handled=handled, dispute=dispute)
    return talk(facts, calls, before, stakes=draw.shuffled(stakes), draw=draw)


@case("cards_to", {SANREMO: "136 s3"})
def banco_overlooked(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """A bancô was called, and the cards went to a stake; the caller's sum is on the table, or not quite."""
    facts, stakes = _stakes(draw, book, difficulty)
    who = draw.pick([place for place in callers(facts) if place not in {stake.player for stake in stakes}])
    says: Says = draw.pick(("banco", "banco_table"))
    needed = facts["bank"] if says == "banco" else facts["bank"] // 2
    down = draw.pick((needed, needed, 0, needed - facts["unit"]) if difficulty >= 2 else (needed, 0))
    if down:
        stakes.append(Stake(who, down))
    calls = [Call(who, says), close(), Call("banker", "dealt"), Call(stakes[0].player, "given_cards")]
    handled: Handled = draw.pick(("untouched", "touched"))
    return talk(facts, calls, CardsElsewhere(handled=handled), stakes=stakes, draw=draw)


@case("cards_to", {SANREMO: "136 s4"})
def banco_overlooked_and_seen(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts, stakes = _stakes(draw, book, difficulty)
    who = draw.pick([place for place in callers(facts) if place not in {stake.player for stake in stakes}])
    calls = [Call(who, "banco"), close(), Call("banker", "dealt"), Call(stakes[0].player, "given_cards")]
    stakes.append(Stake(who, facts["bank"]))
    return talk(facts, calls, CardsElsewhere(handled="seen"), stakes=stakes, draw=draw)


@case("cards_to", {SANREMO: "91"})
def suivi_against_banco(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """The player with the cards asked for the whole bank himself, but another had said suivi."""
    facts = company(draw, book, difficulty)
    hand, loser = draw.sample(callers(facts), 2)
    calls = [*draw.shuffled([Call(hand, "banco"), Call(loser, "suivi")]), close(), Call("banker", "dealt")]
    handled: Handled = draw.pick(("untouched", "touched", "seen"))
    before = CardsElsewhere(lost=loser, lost_by="banco", handled=handled)
    return talk(facts, [*calls, Call(hand, "given_cards")], before, draw=draw)


def _stakes(draw: Draw, book: Rulebook, difficulty: int) -> tuple[Facts, list[Stake]]:
    facts = company(draw, book, difficulty, seated=4)
    return facts, side_stakes(draw, facts, among=draw.sample(seat_pontos(facts), min(2 + difficulty // 3, 3)))
