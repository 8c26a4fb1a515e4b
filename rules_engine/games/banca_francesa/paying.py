"""Collecting and paying: what comes first, in which direction, and how a prize is handed over. IV 12, IV 15, IV 16."""

from collections.abc import Sequence
from typing import Any, ClassVar, Literal, get_args

from msgspec import structs

from rules_engine.authoring import (
    Draw,
    ImpossibleFacts,
    NotRegulated,
    Place,
    Reasoning,
    Rulebook,
    Sentence,
    SpotKey,
    variant,
)
from rules_engine.games.banca_francesa.books import BANCA, BOOKS
from rules_engine.games.banca_francesa.game import case, case_table, domain, rule
from rules_engine.games.banca_francesa.layout import CHANCES, LINES
from rules_engine.games.banca_francesa.setting import CROWDS, Crowd, any_chance, chips, dice_for, in_order, picture
from rules_engine.games.banca_francesa.settlement import (
    NONE,
    Outcome,
    chance_of,
    explain_chance,
    explain_prize,
    outcomes,
    settle,
)
from rules_engine.games.banca_francesa.table import Bet, Chance, Incident, Situation
from rules_engine.games.layout_bets.incidents import BetsDecided
from rules_engine.games.layout_bets.setting import one_of, table
from rules_engine.games.layout_bets.settlement import of_player, paid_on

Done = Literal["announced", "aces_collected", "collected"]
Way = Literal["clockwise", "counter_clockwise"]
How = Literal["fita", "stack", "handful", "in_hand"]

CHANCE_NAMES: tuple[Chance, ...] = get_args(Chance)

domain("settling_act", "collect_aces", "collect_others", "pay", "next_throw")


class Settling(BetsDecided, Incident, frozen=True, tag="settling"):
    """The chance is announced. `done` is the last step the dealer has finished."""

    done: Done

    def narration(self) -> list[Sentence]:
        return [(f"incident.settling_{self.done}", {})]

    def left_lying(self, situation: Situation) -> tuple[Bet, ...]:
        gone = {"announced": (), "aces_collected": ("aces",), "collected": CHANCES}[self.done]
        return _uncollected(situation, gone)


class Collecting(BetsDecided, Incident, frozen=True, tag="collecting"):
    """The chance is announced and aces are settled; the dealer collects the rest, beginning with this player."""

    tells: ClassVar = ("seats",)

    first: Place


class CollectionBegun(BetsDecided, Incident, frozen=True, tag="collection_begun"):
    """The chance is announced. The dealer is about to collect, beginning with a chance, in this direction."""

    starts: Chance
    way: Way


class PrizeHandedOver(Incident, frozen=True, tag="prize_handed_over"):
    """The dealer is about to pay the prize of a bet in this way. `left`: some losing chips are not collected yet."""

    player: Place
    spot: SpotKey
    how: How
    left: bool = False

    def check(self, situation: Situation) -> None:
        situation.result()
        situation.check_some_bet()
        situation.layout.check(self.spot, "incident.spot")

    def narration(self) -> list[Sentence]:
        return [
            ("incident.some_left" if self.left else "incident.all_collected", {}),
            (f"incident.prize_handed_over_{self.how}", {"player": self.player, "spot": self.spot}),
        ]

    def left_lying(self, situation: Situation) -> tuple[Bet, ...]:
        return situation.bets if self.left else _uncollected(situation, CHANCES)


def _uncollected(situation: Situation, gone: Sequence[str]) -> tuple[Bet, ...]:
    """The bets left once the losing bets on these chances are collected; half stays on a line (IV 11)."""
    won = chance_of(BOOKS[0], situation.result())
    found = []
    for bet in situation.bets:
        if bet.chance == won or bet.chance not in gone:
            found.append(bet)
        elif bet.halved and bet.count > 1:
            found.append(structs.replace(bet, count=bet.count - bet.count // 2))
    return tuple(found)


def _settled(s: Situation, r: Reasoning) -> tuple[str, list[Outcome]]:
    chance = chance_of(r.book, s.result())
    if chance == NONE:
        raise ImpossibleFacts("dice", "no chance has won that could be announced")
    return chance, outcomes(r.book, s.bets, chance)


def _lost(settled: list[Outcome], *chances: str) -> list[Outcome]:
    return [one for one in settled if one.prize < 0 and one.bet.chance in chances]


@rule(Settling, BANCA)
def settling(s: Situation, incident: Settling, r: Reasoning) -> None:
    chance, settled = _settled(s, r)
    aces, others = _lost(settled, "aces"), _lost(settled, *LINES)
    if incident.done == "aces_collected" and not aces:
        raise ImpossibleFacts("incident.done", "there was nothing to collect on aces")
    if incident.done == "collected" and not (aces or others):
        raise ImpossibleFacts("incident.done", "there was nothing to collect")
    if incident.done == "announced" and aces:
        r.step("IV 15", "collect_first", pivot=bool(paid_on(settled)))
        r.pivot("IV 12", "aces_first")
        act = "collect_aces"
    elif incident.done != "collected" and others:
        r.step("IV 12", "aces_done" if aces else "no_aces")
        r.pivot("IV 15", "collect_first")
        act = "collect_others"
    elif paid_on(settled):
        r.pivot("IV 15", "pay_now")
        act = "pay"
    else:
        r.pivot("IV 15", "nothing_to_pay")
        act = "next_throw"
    to_pay = "pay" if paid_on(settled) else "next_throw"
    hasty = {"collect_aces": [*(["collect_others"] if others else []), to_pay], "collect_others": [to_pay]}
    r.choice("settling_act", act, tempting=hasty.get(act, ["pay", "next_throw"]))
    settle(r, chance, settled)


@rule(Collecting, BANCA)
def collecting(s: Situation, incident: Collecting, r: Reasoning) -> None:
    chance, settled = _settled(s, r)
    places = sorted({one.bet.player for one in _lost(settled, *LINES)})
    if len(places) < 3 or incident.first not in places:
        raise ImpossibleFacts("incident.first", "at least three must have lost on small or big, one of them the first")
    if len({place[0] for place in places}) < len(places):
        raise NotRegulated("art. IV 12 does not say who of two at one seat is collected from first")
    at = places.index(incident.first)
    clockwise = [*places[at:], *places[:at]]
    right = [clockwise[0], *reversed(clockwise[1:])]
    explain_chance(r, s.result(), pivot=True)
    r.pivot("IV 12", "against_the_clock", by=incident.first)
    r.order("collect_order", right, tempting=[tuple(clockwise), tuple(places), tuple(reversed(places))])
    settle(r, chance, settled)


@rule(CollectionBegun, BANCA)
def collection_begun(s: Situation, incident: CollectionBegun, r: Reasoning) -> None:
    chance, settled = _settled(s, r)
    if not _lost(settled, incident.starts):
        raise ImpossibleFacts("incident.starts", "nothing has lost on {spot:spot}", spot=incident.starts)
    aces = _lost(settled, "aces")
    r.pivot("IV 12", "aces_first" if aces else "no_aces")
    r.pivot("IV 12", f"way_{incident.way}")
    good = (incident.starts == "aces" or not aces) and incident.way == "counter_clockwise"
    half_right = (incident.starts == "aces" or not aces) or incident.way == "counter_clockwise"
    r.choice("allowed", "allowed" if good else "refused", tempting=["allowed"] if half_right else [])
    settle(r, chance, settled)


@rule(PrizeHandedOver, BANCA)
def prize_handed_over(s: Situation, incident: PrizeHandedOver, r: Reasoning) -> None:
    chance, settled = _settled(s, r)
    mine = of_player(settled, incident.player, incident.spot)
    if not paid_on(mine):
        raise ImpossibleFacts(
            "incident.spot",
            "{player:player} has won nothing on {spot:spot}",
            player=incident.player,
            spot=incident.spot,
        )
    if incident.left and not _lost(settled, *CHANCES):
        raise ImpossibleFacts("incident.left", "no losing bet could be left on the cloth")
    explain_prize(r, mine[0], pivot=False)
    right_way = chance != "aces" or incident.how == "fita"
    r.step("IV 15", "collect_first" if incident.left else "pay_now", pivot=incident.left or right_way)
    if chance == "aces":
        r.step("IV 16", "by_fita" if right_way else "not_by_fita", pivot=not (right_way and incident.left))
    else:
        r.step("IV 16", "fita_for_aces_alone", pivot=not incident.left)
    good = right_way and not incident.left
    r.choice("allowed", "allowed" if good else "refused", tempting=["refused" if good else "allowed"])
    settle(r, chance, settled)


# ---------- cases ----------


@case("paying", {BANCA: ("IV 12", "IV 15")})
def just_announced(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """There are losing bets on aces, on another chance, on both, or none."""
    chance = draw.pick(("small", "big", "aces"))
    must = draw.pick((("aces", "small"), ("aces", "big"), ("small", "big"), (chance,)))
    facts = _many(draw, book, difficulty, chance, must)
    return Situation(**facts, incident=Settling(done="announced"))


@case("paying", {BANCA: ("IV 15",)})
def some_collected(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Easy: few bets. Harder: more bets, so the next step is less obvious."""
    chance = draw.pick(("small", "big"))
    lost = "big" if chance == "small" else "small"
    must = draw.pick((("aces", chance), ("aces", lost), ("aces", lost, chance), (lost, chance)))
    facts = _many(draw, book, difficulty, chance, must)
    if draw.chance(0.3):
        kept = tuple(bet for bet in facts["bets"] if bet.chance != chance)
        facts["bets"] = kept or facts["bets"]
    found = {bet.chance for bet in facts["bets"]} - {chance}
    done: list[Done] = ["collected"] if found else ["announced"]
    if "aces" in found:
        done.append("aces_collected")
    return Situation(**facts, incident=Settling(done=draw.pick(done)))


def _many(draw: Draw, book: Rulebook, difficulty: int, chance: str, must: tuple[str, ...]) -> dict[str, Any]:
    crowd = Crowd((min(2, difficulty), difficulty), (0, difficulty - 1), CROWDS[difficulty].chips)
    return picture(draw, book, difficulty, chance=chance, must=must, crowd=crowd)


@case("paying", {BANCA: ("IV 12",)})
def collected_round_the_table(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Easy: three losers. Harder: more of them, winners in between, players with two bets."""
    facts = table(draw, book, difficulty, least=4)
    chance = any_chance(draw, difficulty)
    losing = [spot for name in LINES for spot in (name, LINES[name]) if name != chance]
    players = [str(seat) for seat in draw.shuffled(facts["seats"])]
    count = draw.number(3, min(2 + difficulty, len(players)))
    crowd = CROWDS[difficulty]
    bets = [chips(draw, book, facts, player=one, spot=draw.pick(losing), crowd=crowd) for one in players[:count]]
    if difficulty >= 2:
        bets += [chips(draw, book, facts, player=one, spot=chance, crowd=CROWDS[2]) for one in players[count - 1 :]]
    facts |= {"bets": in_order(bets), "dice": dice_for(draw, book, chance)}
    return Situation(**facts, incident=Collecting(first=draw.pick(players[:count])))


@case("paying", {BANCA: ("IV 12",)})
def collection_begins(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Correct about half of the time; otherwise not beginning with aces, or clockwise."""
    chance = any_chance(draw, difficulty)
    lost: list[Chance] = [one for one in CHANCE_NAMES if one != chance]
    must = lost if draw.chance(0.7) else [draw.pick(lost)]
    facts = _many(draw, book, difficulty, chance, tuple(must))
    found = {bet.chance for bet in facts["bets"]} - {chance}
    starts: Chance = "aces" if "aces" in found else draw.pick([one for one in lost if one in found])
    way: Way = "counter_clockwise"
    if draw.chance(0.55):
        other = [one for one in lost if one in found and one != "aces"] if starts == "aces" else []
        starts, way = (draw.pick(other), way) if other and draw.chance(0.6) else (starts, "clockwise")
    return Situation(**facts, incident=CollectionBegun(starts=starts, way=way))


@case_table(
    "paying",
    variant("aces_prize_handed_over", {BANCA: "IV 16"}, chances="aces"),
    variant("prize_handed_over_at_any_table", {BANCA: "IV 16"}, chances=CHANCES),
)
def _handed(draw: Draw, book: Rulebook, difficulty: int, chances: str | tuple[str, ...]) -> Situation:
    chance = one_of(draw, chances)
    spots = [chance, LINES[chance]] if chance in LINES and difficulty >= 3 else [chance]
    facts = picture(draw, book, difficulty, chance=chance, must=(draw.pick(spots),))
    bet = draw.pick([bet for bet in facts["bets"] if bet.chance == chance])
    others: tuple[How, ...] = ("stack", "handful", "in_hand")
    how = "fita" if draw.chance(0.4 if chance == "aces" else 0.25) else draw.pick(others)
    lost = any(bet.chance != chance for bet in facts["bets"])
    left = lost and difficulty >= 2 and draw.chance(0.4)
    return Situation(**facts, incident=PrizeHandedOver(player=bet.player, spot=bet.spot, how=how, left=left))
