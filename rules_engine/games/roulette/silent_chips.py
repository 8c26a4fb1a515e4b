"""What the law does not say about chips on the cloth: whose they are, and which spot they are on if they touch two.

What follows from the decision of the house is law: X 14, X 18, X 20.
"""

from typing import Any, ClassVar, Literal

from rules_engine.authoring import (
    After,
    Draw,
    ImpossibleFacts,
    NotRegulated,
    Payment,
    Place,
    Reasoning,
    Rulebook,
    Sentence,
    SpotKey,
)
from rules_engine.games.layout_bets.setting import Crowd
from rules_engine.games.layout_bets.table import Count, Worth
from rules_engine.games.roulette import layout
from rules_engine.games.roulette.books import BOOKS, FRENCH
from rules_engine.games.roulette.game import case, rule
from rules_engine.games.roulette.layout import named
from rules_engine.games.roulette.setting import any_number, face_value, face_values, in_order, picture, room, winning
from rules_engine.games.roulette.settlement import INSIDE, PRIZE_CLAUSES, explain_prize, outcomes, prize_of, times, wins
from rules_engine.games.roulette.table import Astray, Bet, Incident, Situation, bet_on

Claimant = Literal["first", "second", "nobody"]
Part = Literal["spot", "other", "even"]
Side = Literal["spot", "other"]
When = Literal["open", "rolling", "out"]
WHENS: tuple[When, ...] = ("open", "rolling", "rolling", "out", "out")
# The chance on whose line a chip slips from each chance.
SLIPS = {"straight": "split", "split": "corner", "street": "line"}
# Whom the inspector saw and whom the recording shows: one claimant or the other, or nobody; as often as listed.
AGREED: tuple[tuple[int | None, int | None], ...] = ((0, 0), (None, None), (None, 0))
APART = ((0, None), *(((None, 0), (0, 1)) * 3), *(((None, None),) * 3))
FEW = Crowd((1, 2), (0, 2), (0, 2), (1, 4))


class BetClaimed(Incident, frozen=True, kw_only=True, tag="bet_claimed"):
    """Two players say that winning chips are theirs. `saw` is whom the inspector saw place them, `recording` whom the
    recording shows."""

    first: Place
    second: Place
    spot: SpotKey
    count: Count
    value: Worth
    saw: Claimant
    recording: Claimant

    def check(self, situation: Situation) -> None:
        situation.result()
        situation.layout.check(self.spot, "incident.spot")
        for fact in ("first", "second"):
            if (place := getattr(self, fact)) not in situation.people():
                raise ImpossibleFacts(f"incident.{fact}", "nobody is at {place}", place=place)
        if self.first == self.second:
            raise ImpossibleFacts("incident.second", "two different players must claim the chips")

    def claimants(self) -> tuple[str, ...]:
        return self.first, self.second

    def placed(self) -> list[tuple[str, int]]:
        return [(self.first, self.value)]

    def astray(self) -> Astray:
        return Astray(self.spot, self.count, self.value)

    def put_on(self, paid: Payment) -> Bet | None:
        """The chips that earned this payment: all of them, or half if they are shared."""
        count = int(paid.amount / (times(BOOKS[0], layout.chance(self.spot)) * self.value))
        return bet_on(self.spot, paid.payee, count, self.value)

    def sorts(self, situation: Situation) -> set[str]:
        return {f"saw {self.saw}", f"recording {self.recording}"}

    def narration(self) -> list[Sentence]:
        players = {"first": self.first, "second": self.second}
        chips = {"count": self.count, "value": self.value, **named(self.spot)}
        return [
            ("incident.bet_claimed", chips | players),
            (f"incident.claim_saw_{self.saw}", players),
            (f"incident.claim_recording_{self.recording}", players),
        ]


class ChipBetween(Incident, frozen=True, kw_only=True, tag="chip_between"):
    """Chips of a player touch two spots. `larger` is the spot with the larger part, `meant` the one the player means.

    `when`: while betting is open, while the ball rolls, or only when the number is out.
    """

    tells: ClassVar = ("minimum", "number_itself")

    player: Place
    spot: SpotKey
    other: SpotKey
    count: Count
    value: Worth
    larger: Part
    meant: Side
    when: When

    def check(self, situation: Situation) -> None:
        situation.check_player(self.player)
        situation.result()
        situation.layout.check(self.spot, "incident.spot")
        situation.layout.check(self.other, "incident.other")
        if layout.chance(self.spot) == layout.chance(self.other):
            raise ImpossibleFacts("incident.other", "the two spots must be of different kinds")

    def spots(self) -> tuple[str, ...]:
        return self.spot, self.other

    def placed(self) -> list[tuple[str, int]]:
        return [(self.player, self.value)]

    def astray(self) -> Astray:
        return Astray(self.spot, self.count, self.value, self.player, self.other)

    def put_on(self, paid: Payment) -> Bet | None:
        return bet_on(paid.spot, self.player, self.count, self.value)

    def sorts(self, situation: Situation) -> set[str]:
        return {self.larger, self.meant, self.when}

    def narrated(self, situation: Situation) -> list[Sentence]:
        spots = {**named(self.spot), **{f"{key}_other": value for key, value in named(self.other).items()}}
        values = {"player": self.player, "count": self.count, "value": self.value, **spots}
        said = named(self.spot if self.meant == "spot" else self.other)
        number = {"number": situation.number}
        told: list[Sentence] = [
            ("incident.chip_between", values),
            (f"incident.between_{self.larger}", spots),
            (f"incident.between_{self.when}", {"player": self.player, **said, **number}),
        ]
        return told if self.when == "out" else [*told, ("table.number_later", number)]


@rule(BetClaimed, FRENCH)
def bet_claimed(s: Situation, incident: BetClaimed, r: Reasoning) -> None:
    number, chance = s.result(), layout.chance(incident.spot)
    if not wins(r.book, incident.spot, number):
        raise ImpossibleFacts("incident.spot", "{name:spot}{at} has not won", **named(incident.spot))
    words = {"recording": incident.recording, "inspector": incident.saw}
    order = ("recording",) if r.procedure == "recording_first" else ("inspector", "recording")
    whose = next(((by, words[by]) for by in order if words[by] != "nobody"), None)
    whole = bet_on(incident.spot, incident.first, incident.count, incident.value)
    prize, shares = prize_of(r.book, chance, whole.amount), dict.fromkeys(incident.claimants(), 0)
    for one in outcomes(r.book, [whole], number):
        r.step(PRIZE_CLAUSES[chance], "claim_wins", stake=whole.amount, prize=one.prize, **named(one.spot))
    if whose:
        owner = incident.first if whose[1] == "first" else incident.second
        r.pivot("bet_claimed", f"claim_by_{whose[0]}", by=owner)
        shares[owner] = prize
    elif r.procedure == "recording_first":
        r.pivot("bet_claimed", "claim_held")
    elif incident.count % 2:
        raise NotRegulated("art. X 20 does not say how an odd number of chips is shared between two players")
    else:
        r.pivot("bet_claimed", "claim_shared")
        shares = dict.fromkeys(shares, prize // 2)
    r.player("owner", owner if whose else "nobody", tempting=(*incident.claimants(), "nobody"), critical=True)
    for player, share in shares.items():
        r.amount(f"gets.{player}", share, tempting=[prize, prize // 2, prize + whole.amount, 0])
        r.rests(f"gets.{player}", "bet_claimed", *([PRIZE_CLAUSES[chance]] if share else []))
    paid = tuple(Payment("house", player, share, incident.spot) for player, share in shares.items() if share)
    r.after(After(payments=paid, marks={"marker": str(number)}))


@rule(ChipBetween, FRENCH)
def chip_between(s: Situation, incident: ChipBetween, r: Reasoning) -> None:
    number, spots = s.result(), {"spot": incident.spot, "other": incident.other}
    lower = min(spots.values(), key=lambda spot: times(r.book, layout.chance(spot)))
    if incident.when == "open":
        right = spots[incident.meant]
        r.pivot("chip_between", "between_before")
        r.pivot("X 14 s2", "between_still_open", by=incident.player)
    elif r.procedure == "players_word":
        right = spots[incident.meant] if incident.when == "rolling" else lower
        r.pivot("chip_between", "between_as_said" if incident.when == "rolling" else "between_too_late")
    else:
        right = lower if incident.larger == "even" else spots[incident.larger]
        r.pivot("chip_between", "between_even" if incident.larger == "even" else "between_larger")
    wrong = incident.other if right == incident.spot else incident.spot
    r.step("X 18 a", "between_counts", **named(right))
    r.order("counts_on", [right], tempting=[(wrong,)])
    chips = bet_on(right, incident.player, incident.count, incident.value)
    instead = prize_of(r.book, layout.chance(wrong), chips.amount)
    (settled,) = outcomes(r.book, [chips], number)
    if settled.prize > 0:
        explain_prize(r, settled)
    else:
        r.step("X 22 s1", "stake_is_lost", by=incident.player, number=number, **named(right))
    due = max(0, settled.prize)
    r.amount("chip_prize", due, tempting=[instead, prize_of(r.book, chips.chance, chips.amount), chips.amount, 0])
    paid = (Payment("house", incident.player, due, right),) if due else ()
    r.after(After(payments=paid, marks={"marker": str(number)}))


def _apart(draw: Draw, book: Rulebook, difficulty: int, number: int, count: int) -> tuple[dict[str, Any], list[str]]:
    """A table, and players at it who have no bets and no colour."""
    facts = picture(draw, book, difficulty, number=number, crowd=FEW)
    players = [str(seat) for seat in draw.sample(facts["seats"], count)]
    facts["bets"] = in_order(bet for bet in facts["bets"] if bet.player not in players)
    facts["colours"] = tuple(chips for chips in facts.get("colours", ()) if chips.player not in players)
    return facts | face_value(book), players


@case("procedures", {FRENCH: ("bet_claimed",)})
def claimed_by_two(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Easy: the inspector and the recording agree. Harder: only one of them knows, or they contradict each other."""
    number, value = any_number(draw, difficulty), face_values(book)[0]
    facts, (first, second) = _apart(draw, book, difficulty, number, 2)
    known = draw.pick(AGREED if difficulty == 1 else AGREED + APART if difficulty == 2 else APART)
    sides: tuple[Claimant, ...] = ("first", "second") if draw.chance(0.5) else ("second", "first")
    saw, recording = ("nobody" if side is None else sides[side] for side in known)
    chances = INSIDE if difficulty >= 3 else INSIDE[:3]
    spot = draw.pick([spot for chance in chances for spot in winning(book, number, chance)])
    count = max(2, min(2 * draw.number(1, difficulty), room(book, spot, value) // 2 * 2))
    incident = BetClaimed(first=first, second=second, spot=spot, count=count, value=value, saw=saw, recording=recording)
    return Situation(**facts, incident=incident)


def _touching(book: Rulebook, number: int, chances: tuple[str, ...]) -> list[tuple[str, str]]:
    """Pairs of spots that touch and cover a number: one of these chances, and the wider bet on its line."""
    return [
        (spot, wider)
        for chance in chances
        for spot in winning(book, number, chance)
        for wider in winning(book, number, SLIPS[chance])
        if layout.numbers(spot) < layout.numbers(wider)
    ]


@case("procedures", {FRENCH: ("chip_between",)})
def between_two_spots(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Easy: the player means the spot with the larger part. Harder: the other one, or as much lies on each."""
    number, value = any_number(draw, difficulty), face_values(book)[0]
    facts, (player,) = _apart(draw, book, difficulty, number, 1)
    near = number if draw.chance(0.7) or not 3 < number < 34 else number + draw.pick((-3, -1, 1, 3))
    spot, other = draw.shuffled(draw.pick(_touching(book, near, tuple(SLIPS)[: 1 if difficulty == 1 else 3])))
    larger: Part = draw.pick(("spot", "other") if difficulty <= 2 else ("spot", "other", "even"))
    agrees = difficulty == 1 and draw.chance(0.5)
    meant: Side = larger if agrees and larger != "even" else draw.pick(("spot", "other"))
    count = min(draw.number(1, difficulty + 1), room(book, spot, value), room(book, other, value))
    incident = ChipBetween(
        player=player, spot=spot, other=other, count=count, value=value, larger=larger, meant=meant,
        when=draw.pick(WHENS),
    )  # fmt: skip
    return Situation(**facts, incident=incident)
