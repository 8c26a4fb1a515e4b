"""What the croupier says when the hand passes, stays, is auctioned or refused, at the turns of a shoe and, at Sanremo,
wherever its text fixes the words.

Portugal 96 c (c-1 to c-11); Sanremo 4, 10 (s2, s3), 35, 57 (s2, s3), 61 (s0, c),
65 (s1, s2), 76, 119 and 125.
"""

from typing import Any, Literal

from rules_engine.authoring import (
    ImpossibleFacts,
    NotRegulated,
    Reasoning,
    Rulebook,
    Sentence,
    Utterance,
    one_of,
    variant,
)
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.chemin_de_fer.books import PT, SANREMO
from rules_engine.games.chemin_de_fer.game import case, case_table, rule
from rules_engine.games.chemin_de_fer.setting import coup, pontos
from rules_engine.games.chemin_de_fer.stakes.cover import Facts, table
from rules_engine.games.chemin_de_fer.table import Call, Incident, Situation, another_score, shuffled

Result = Literal["won", "lost", "tie"]
Event = Literal[
    "coup_over",
    "gives_up",
    "nobody_takes",
    "bid",
    "bids_stop",
    "mover_reached",
    "bank_declined",
    "shoe_begins",
    "warning_card",
    "game_closes",
    "pack_gathered",
    "time_given",
    "banker_looked",
    "both_exposed",
    "deal_put_right",
    "banker_misstated",
    "ponto_misstated",
]
# The announcement for each event, with its clause; at the end of a coup it depends on the result.
CALLS = {
    "gives_up": ("96 c-2", "hand_abandoned"),
    "nobody_takes": ("96 c-3", "auction_opens"),
    "bid": ("96 c-4", "auction_value"),
    "bids_stop": ("96 c-5", "bank_awarded"),
    "mover_reached": ("96 c-6", "hand_jumps"),
    "bank_declined": ("96 c-8", "bank_refused"),
    "shoe_begins": ("96 c-9", "first_coup"),
    "warning_card": ("96 c-10", "last_coup_shoe"),
    "game_closes": ("96 c-11", "last_coup"),
}
CALLS_SANREMO: dict[Event, tuple[str, str]] = {
    "pack_gathered": ("4 s2", "cards_pass"),
    "time_given": ("10 s2", "closed"),
    "warning_card": ("35 s1", "last_coup_shoe"),
    "banker_looked": ("57 s3", "who_stakes_accepts"),
    "both_exposed": ("61 s0", "who_stakes_accepts"),
    "deal_put_right": ("65 s2", "who_stakes_accepts"),
    "banker_misstated": ("76 s1", "cards_speak"),
    "ponto_misstated": ("119", "cards_speak"),
}
# The clause behind each of these moments: what has to be done or allowed before the croupier speaks.
BEFORE_SANREMO = {
    "pack_gathered": "4 s1",
    "time_given": "10 s3",
    "warning_card": "35 s2",
    "banker_looked": "57 s2",
    "both_exposed": "61 c",
    "deal_put_right": "65 s1",
    "banker_misstated": "76 s2",
    "ponto_misstated": "125",
}
HIDDEN = ("ponto.1", "ponto.2", "banker.1", "banker.2")
# Said with the best bid so far.
WITH_BID = ("auction_value", "bank_awarded")
OTHER_WORDS = 4


class HandMoment(Incident, frozen=True, tag="hand_moment"):
    """Something happened about the hand or the shoe. `result` is how the coup just played ended for the banker;
    `shoe_over`: it was the last of its shoe. `ready`: only the words are missing. Bids stand in the log."""

    event: Event
    result: Result | None = None
    shoe_over: bool = False
    ready: bool = False

    def check(self, situation: Situation) -> None:
        if self.event == "coup_over" and self.result is None:
            raise ImpossibleFacts("incident.result", "a coup that is over has a result")
        if self.event == "gives_up" and self.result == "lost":
            raise ImpossibleFacts("incident.result", "a banker who lost has no hand to give up")
        bids = [call for call in situation.calls if call.says == "bid"]
        if self.event in ("bid", "bids_stop") and (not bids or any(call.amount is None for call in bids)):
            raise ImpossibleFacts("calls", "an auction has bids, each with its sum")

    def narration(self) -> list[Sentence]:
        told: list[Sentence] = []
        if self.result:
            told.append((f"incident.banker_{self.result}", {}))
        if self.shoe_over:
            told.append(("incident.shoe_over", {}))
        if self.event != "coup_over":
            told.append((f"incident.hand_moment_{self.event}", {}))
        return [*told, ("incident.hand_moment_ready", {})] if self.ready else told


@rule(HandMoment, *PT)
def hand_call(s: Situation, incident: HandMoment, r: Reasoning) -> None:
    if incident.event == "coup_over":
        _coup_over(s, incident, r)
        return
    if incident.event not in CALLS:
        raise NotRegulated("art. 96 c) gives no words for this moment")
    cite, formula = CALLS[incident.event]
    r.pivot(cite, f"settlement.call_{incident.event}")
    bid = {"amount": max(call.amount or 0 for call in s.calls if call.says == "bid")} if formula in WITH_BID else {}
    _say(s, r, formula, **bid)


@rule(HandMoment, SANREMO)
def hand_call_sanremo(s: Situation, incident: HandMoment, r: Reasoning) -> None:
    if incident.event not in CALLS_SANREMO:
        raise NotRegulated("arts. 4, 10, 35, 57, 61, 65, 76 and 119 fix the words of moments other than this")
    cite, formula = CALLS_SANREMO[incident.event]
    if not incident.ready:
        r.pivot(BEFORE_SANREMO[incident.event], f"settlement.before_{incident.event}")
    r.pivot(cite, f"settlement.call_{incident.event}")
    least = r.book.number("last_coup_min_cards")
    slots: dict[str, Any] = {"last_coup_shoe": {"cards": least}}
    others = dict.fromkeys(name for _, name in CALLS_SANREMO.values())
    r.words(formula, tempting=[Utterance(name, slots.get(name, {})) for name in others], **slots.get(formula, {}))


def _coup_over(s: Situation, incident: HandMoment, r: Reasoning) -> None:
    if incident.result == "lost":
        r.pivot("96 c-1", "settlement.banker_lost")
        _say(s, r, "hand_passes")
    elif incident.shoe_over:
        r.pivot("96 c-7", "settlement.shoe_over_not_lost", result=incident.result)
        _say(s, r, "hand_stays")
    else:
        raise NotRegulated("art. 96 c) gives no words for a banker who simply goes on")


def _say(s: Situation, r: Reasoning, formula: str, **slots: Any) -> None:
    """The right words among those of other moments."""
    best = max((call.amount or 0 for call in s.calls if call.says == "bid"), default=s.minimum * another_score(s, 0))
    words = [Utterance(name) for name in ("hand_passes", "hand_stays", *(name for _, name in CALLS.values()))]
    plain = [one for one in words if one.formula not in WITH_BID]
    with_sum = [Utterance(name, {"amount": best}) for name in WITH_BID]
    others = [one for one in shuffled(s, (*plain, *with_sum)) if one != Utterance(formula, {**slots})]
    r.words(formula, tempting=others[:OTHER_WORDS], **slots)


def _hand(draw: Draw, book: Rulebook, difficulty: int) -> Facts:
    return table(draw, book, difficulty) | {"calls": ()}


def _moment(draw: Draw, book: Rulebook, difficulty: int, event: Event, result: Result | None = None) -> Situation:
    return Situation(**_hand(draw, book, difficulty), incident=HandMoment(event=event, result=result))


@case("announcements", {PT[0]: "96 c-1"})
def call_after_a_loss(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Harder: the shoe ends with that coup."""
    over = difficulty >= 2 and draw.chance(0.4)
    incident = HandMoment(event="coup_over", result="lost", shoe_over=over)
    return Situation(**_hand(draw, book, difficulty), incident=incident)


@case("announcements", {PT[0]: "96 c-2"})
def call_when_given_up(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    result: Result = draw.pick(("won", "tie")) if difficulty >= 2 else "won"
    return _moment(draw, book, difficulty, "gives_up", result)


case_table("announcements", variant("call_for_bids", {PT[0]: "96 c-3"}, event="nobody_takes"))(_moment)


@case_table(
    "announcements",
    variant("call_of_a_bid", {PT[0]: "96 c-4"}, event="bid"),
    variant("call_of_the_award", {PT[0]: "96 c-5"}, event="bids_stop"),
)
def _auction(draw: Draw, book: Rulebook, difficulty: int, event: Event) -> Situation:
    facts = _hand(draw, book, difficulty) | {"bank": 0}
    bidders, sum = list(pontos(facts)), 0
    calls = [Call("croupier", "auction_opens")]
    for _ in range(draw.number(1, 1 + difficulty)):
        sum += facts["minimum"] * draw.number(1, 3)
        bidder = draw.pick([place for place in bidders if place != calls[-1].by])
        calls.append(Call(bidder, "bid", sum))
    return Situation(**facts | {"calls": tuple(calls)}, incident=HandMoment(event=event))


case_table("announcements", variant("call_at_a_moved_player", {PT[0]: "96 c-6"}, event="mover_reached"))(_moment)


@case("announcements", {PT[0]: "96 c-7"})
def call_when_the_shoe_ends(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    result: Result = draw.pick(("won", "tie")) if difficulty >= 2 else "won"
    incident = HandMoment(event="coup_over", result=result, shoe_over=True)
    return Situation(**_hand(draw, book, difficulty), incident=incident)


@case("announcements", {PT[0]: "96 c-8"})
def call_of_a_refusal(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts = _hand(draw, book, difficulty) | {"bank": 0}
    return Situation(**facts, incident=HandMoment(event="bank_declined"))


case_table(
    "announcements",
    variant("call_of_a_new_shoe", {PT[0]: "96 c-9"}, event="shoe_begins"),
    variant("call_at_the_warning_card", {PT[0]: "96 c-10"}, event="warning_card"),
    variant("call_at_the_end", {PT[0]: "96 c-11"}, event="game_closes"),
)(_moment)


@case_table(
    "announcements",
    variant(
        "call_at_sanremo",
        {SANREMO: ("4 s2", "10 s2", "35 s1", "57 s3", "61 s0", "65 s2", "76 s1", "119")},
        event=one_of(*tuple(CALLS_SANREMO)),
    ),
    variant(
        "players_put_before_a_choice",
        {SANREMO: ("57 s3", "61 s0", "65 s2")},
        event=one_of("banker_looked", "both_exposed", "deal_put_right"),
    ),
    variant("score_misstated", {SANREMO: ("76 s1", "119")}, event=one_of("banker_misstated", "ponto_misstated")),
)
def _at_sanremo(draw: Draw, book: Rulebook, difficulty: int, event: Event) -> Situation:
    """A table for the moment: stakes once they may be placed, cards once they are dealt. Easy: only the words are
    missing. Harder: what goes before them has to be thought of too."""
    incident = HandMoment(event=event, ready=draw.chance({1: 1, 2: 1, 3: 0.5}.get(difficulty, 0)))
    if event == "pack_gathered":
        return Situation(**_hand(draw, book, difficulty), incident=incident)
    facts = coup(draw, book, difficulty, claim="banco" if event == "ponto_misstated" else "stake")
    if event in ("time_given", "warning_card"):
        calls = facts["calls"][:-1] if event == "time_given" else facts["calls"]
        facts |= {"holder": None, "claim": None, "calls": calls}
    else:
        facts |= _dealt(draw, facts, event)
    return Situation(**facts, incident=incident)


def _dealt(draw: Draw, facts: Facts, event: Event) -> Facts:
    """Two cards a side: still covered, the ponto's turned up in the deal, or all shown because nobody draws any
    more."""
    if event in ("banker_misstated", "ponto_misstated"):
        said = (*facts["calls"], Call("ponto", "no"), Call("croupier", "no"))
        return {"ponto": draw.hand(draw.number(6, 7)), "banker_cards": draw.hand(draw.number(6, 7)), "calls": said}
    covered = ("banker.1", "banker.2") if event == "both_exposed" else HIDDEN
    return {"ponto": draw.hand(draw.number(0, 9)), "banker_cards": draw.hand(draw.number(0, 9)), "hidden": covered}
