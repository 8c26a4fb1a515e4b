"""The black jack table: the facts that every incident, drawing and narration of the game shares.

Seats are numbered clockwise from the dealer's left. Whoever sits there is the holder of the seat; others may bet on it
too, and on empty seats. `4a` stands behind seat 4.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal

from msgspec import Meta, Struct

from rules_engine import situation
from rules_engine.authoring import (
    PLACE,
    After,
    Card,
    CardTable,
    ImpossibleFacts,
    Payment,
    Place,
    Seat,
    Sentence,
    Sum,
    Utterance,
    check_calls,
    check_cards,
    check_present,
    manner,
)
from rules_engine.games.black_jack.leaving import left_over

MOST_HANDS = 4  # the most one seat can show; the law says how often a pair may be split
Which = Annotated[int, Meta(ge=1, le=MOST_HANDS, description="which of the hands of a seat")]
Meant = Annotated[int, Meta(ge=0, le=MOST_HANDS, description="which of the hands of a seat; nought for the only one")]
LETTERS = ("", "b", "c", "d")
ACE = "A"
TENS = "TJQK"
PARTS = ("croupier", "inspector")
BANK = "bank"
OF_HANDS = ("result", "total", "now", "black_jack")  # questions about every hand


class Call(situation.Call, frozen=True, omit_defaults=True):
    """Something said or done in turn."""

    by: Annotated[str, Meta(pattern=f"^({'|'.join(PARTS)}|{PLACE})$")]
    says: Literal["place_bets", "closed", "card", "stand", "no_cut", "insures", "no_insurance", "last_coup"]
    amount: None = None  # nobody calls a sum


class Hand(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The cards of one bet or of one part of a split. A seat with several hands has split a pair; `split` says so of
    the last one left."""

    seat: Seat
    cards: tuple[Card, ...]
    doubled: bool = False
    split: bool = False


class Bet(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Chips of one player on one hand of a seat, and those that insure it."""

    player: Place
    seat: Seat
    amount: Sum
    hand: Which = 1
    insurance: Sum = 0

    @property
    def spot(self) -> str:
        """Where it lies, by the name of its hand: `seat4`, `seat4b`."""
        return f"seat{self.seat}{LETTERS[self.hand - 1]}"

    @property
    def line(self) -> str:
        """Where the chips that insure it lie."""
        return f"insurance.{self.spot}"


# Facts of the table that the story of an incident may need.
Told = Literal["minimum", "packs", "people"]


class Incident(situation.Incident, frozen=True):
    """Something that happened at a black jack table. `tells` names the facts of the table that its story needs;
    `ends_coup`: once it is ruled on, all cards are collected."""

    tells: ClassVar[tuple[Told, ...]] = ("minimum",)
    ends_coup: ClassVar[bool] = False

    def told(self, situation: "Situation") -> list[Sentence]:
        """Sentences about it that depend on the table, such as the card that comes."""
        return []

    def sayable(self) -> Sequence[Utterance]:
        """The announcements to choose from. They do not depend on the ruling."""
        return ()

    def asks_hand(self, bet: Bet) -> bool:
        """Whether the question is on which hand of a split this bet plays, so that nothing may tell it."""
        return False


class Situation(CardTable, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """The facts at one moment of play.

    `hands` are those of the seats, in order; `bank_cards` the bank's, the open card first. `places` is the number of
    seats of the table, `packs` the number of packs in use.
    """

    game: ClassVar[str] = "black_jack"
    heap_facts: ClassVar[Mapping[str, str]] = {BANK: "bank_cards", "loose": "loose", "next": "next"}

    places: Literal[6, 7] = 7
    packs: Literal[4, 6] = 6
    minimum: Sum
    hands: tuple[Hand, ...] = ()
    bets: tuple[Bet, ...] = ()
    bank_cards: tuple[Card, ...] = ()
    calls: tuple[Call, ...] = ()
    incident: Incident

    def __post_init__(self) -> None:
        present = check_present(self.seats, self.standing)
        if max(self.seats, default=0) > self.places:
            raise ImpossibleFacts("seats", "the table has {places} seats", places=self.places)
        if not self.minimum:
            raise ImpossibleFacts("minimum", "a table has a least bet")
        self._check_hands()
        self._check_bets(present)
        check_cards(self, self.packs)
        check_calls(self.calls, present, parts=PARTS)
        self.incident.check(self)

    def _check_hands(self) -> None:
        for index, hand in enumerate(self.hands):
            if hand.seat > self.places:
                raise ImpossibleFacts(f"hands[{index}].seat", "the table has {places} seats", places=self.places)
            if not hand.cards:
                raise ImpossibleFacts(f"hands[{index}].cards", "a hand has cards")
            if len(self.of_seat(hand.seat)) > MOST_HANDS:
                raise ImpossibleFacts(f"hands[{index}].seat", "a seat has at most {most} hands", most=MOST_HANDS)

    def _check_bets(self, present: set[str]) -> None:
        seen: set[tuple[str, int, int]] = set()
        for index, bet in enumerate(self.bets):
            if bet.player not in present:
                raise ImpossibleFacts(f"bets[{index}].player", "nobody is at {place}", place=bet.player)
            if bet.seat > self.places:
                raise ImpossibleFacts(f"bets[{index}].seat", "the table has {places} seats", places=self.places)
            if not bet.amount:
                raise ImpossibleFacts(f"bets[{index}].amount", "a bet of nothing")
            if bet.hand > max(1, len(self.of_seat(bet.seat))):
                raise ImpossibleFacts(f"bets[{index}].hand", "seat {seat} has no such hand", seat=bet.seat)
            if bet.insurance and (not self.open_ace or 2 * bet.insurance > bet.amount):
                raise ImpossibleFacts(f"bets[{index}].insurance", "it may be half the bet at most, against an open ace")
            if (bet.player, bet.seat, bet.hand) in seen:
                raise ImpossibleFacts(f"bets[{index}]", "the chips of one player on one hand are one bet")
            seen.add((bet.player, bet.seat, bet.hand))

    @property
    def open_ace(self) -> bool:
        return bool(self.bank_cards) and self.bank_cards[0][0] == ACE

    def of_seat(self, seat: int) -> list[Hand]:
        return [hand for hand in self.hands if hand.seat == seat]

    def names(self) -> dict[str, Hand]:
        """Every hand by the name of its heap: `seat4`, and `seat4b` for the second hand of a split."""
        found: dict[str, Hand] = {}
        counts: dict[int, int] = {}
        for hand in self.hands:
            nth = counts.get(hand.seat, 0)
            counts[hand.seat] = nth + 1
            found[f"seat{hand.seat}{LETTERS[nth]}"] = hand
        return found

    def heaps(self) -> Mapping[str, tuple[Card, ...]]:
        hands = {name: hand.cards for name, hand in self.names().items()}
        return hands | {name: getattr(self, fact) for name, fact in self.heap_facts.items()}

    def left(self, after: After) -> dict[str, Any]:
        found = super().left(after)
        return found | left_over(self, after) if found and self.hands else found

    def on(self, name: str) -> list[Bet]:
        """The bets on a hand, by the name of its heap."""
        seat, which = parsed(name)
        return [bet for bet in self.bets if bet.seat == seat and bet.hand == which]

    def is_split(self, seat: int) -> bool:
        return self.has_several(seat) or any(hand.split for hand in self.of_seat(seat))

    def has_several(self, seat: int) -> bool:
        return len(self.of_seat(seat)) > 1

    def holder(self, seat: int) -> str | None:
        return str(seat) if seat in self.seats else None

    def opening(self) -> list[Sentence]:
        tells, sentences = self.incident.tells, list[Sentence]()
        if "minimum" in tells:
            sentences.append(("table.minimum", {"minimum": self.minimum}))
        if "packs" in tells:
            sentences.append(("table.packs", {"packs": self.packs}))
        if "people" in tells:
            count = len(self.people())
            form = {0: "table.people_none", 1: "table.people_one"}.get(count, "table.people")
            sentences.append((form, {"count": count}))
        for player in sorted({bet.player for bet in self.bets}):
            sentences += self._bets_of(player)
        for bet in self.bets:
            if bet.insurance:
                id = "table.insured_own" if bet.player == str(bet.seat) else "table.insured"
                sentences.append((id, {"by": bet.player, "seat": bet.seat, "amount": bet.insurance}))
        for name, hand in self.names().items():
            if hand.split and not self.has_several(hand.seat):
                sentences.append(("table.last_of_split", {"seat": hand.seat}))
            if hand.doubled:
                sentences.append(self._doubled(name))
        if self.hands and not self.bank_cards:
            sentences.append(("table.dealing", {}))
        return sentences + self.incident.told(self)

    def _bets_of(self, player: str) -> list[Sentence]:
        """A player's bet on his own seat, which is not named, and then those on other seats."""
        mine = [bet for bet in self.bets if bet.player == player]
        own = [bet for bet in mine if str(bet.seat) == player]
        rest = [self._laid(bet) for bet in mine if bet not in own]
        told: list[Sentence] = [("table.bet_own", {"by": player, "amount": bet.amount}) for bet in own]
        if own and self.has_several(own[0].seat):
            told = [self._split(player, own)]
        return [*told, ("table.bets_also" if own else "table.bets", {"by": player, "bets": rest})] if rest else told

    def _split(self, player: str, own: Sequence[Bet]) -> Sentence:
        if len(own) == 2:
            return "table.bets_split_two", {"by": player, "first": own[0].amount, "second": own[1].amount}
        return "table.bets_split", {"by": player, "bets": [self._laid(bet) for bet in own]}

    def _doubled(self, name: str) -> Sentence:
        """Whose bet on a hand was doubled: the holder's or, on an empty seat, that of whoever plays it."""
        bets = sorted(self.on(name), key=lambda bet: bet.player != str(bet.seat))
        if not bets:
            return "table.doubled_bare", self.named(name)
        return "table.doubled", {**self.named(name), "by": bets[0].player, "amount": bets[0].amount}

    def _laid(self, bet: Bet) -> dict[str, Any]:
        named = self.named(f"seat{bet.seat}{LETTERS[bet.hand - 1]}")
        return {"amount": bet.amount, **named, "nth": 0 if self.incident.asks_hand(bet) else named["nth"]}

    def named(self, name: str) -> dict[str, Any]:
        """The values with which a sentence names a hand: `{seat}{nth:nth}`; the number only if the seat has several
        hands."""
        seat, which = parsed(name)
        return {"seat": seat, "nth": which if self.has_several(seat) else 0}

    def every(self, stem: str) -> Sequence[str]:
        """`prize.` stands for everybody who has a bet, `result.` and the like for every hand."""
        if stem in ("prize.", "paid_now."):
            return sorted({bet.player for bet in self.bets})
        if stem == "insurance_prize.":
            return sorted({bet.player for bet in self.bets if bet.insurance})
        if stem.strip(".") in OF_HANDS:
            return list(self.names())
        return super().every(stem)

    def likely(self, key: str) -> Sequence[Any]:
        return self.incident.sayable() if key == "announcement" else ()

    def plain_facts(self) -> set[str]:
        """Also whether the hand that gets a card has been doubled."""
        seat, which = getattr(self.incident, "seat", 0), max(1, getattr(self.incident, "hand", 0) or 1)
        doubled = any(hand.doubled for hand in self.of_seat(seat)[which - 1 : which])
        return super().plain_facts() | ({"doubled"} if doubled else set())

    def figures(self, name: str) -> Sequence[int]:
        return (1, 2, 3) if name == "cards_to_come" else ()

    def involved(self) -> set[str]:
        """Also how it happened, what the bank shows, how hands were played and whose bets are on whose seat."""
        found = super().involved() | manner(self.incident, self.people())
        if self.bank_cards:
            shown = "ace" if self.open_ace else "ten" if self.bank_cards[0][0] in TENS else "other"
            found |= {f"bank shows {shown}", f"bank cards {len(self.bank_cards)}"}
        for hand in self.hands:
            found |= {"split"} if self.is_split(hand.seat) else {"doubled"} if hand.doubled else set()
        if seat := getattr(self.incident, "seat", 0):
            player = getattr(self.incident, "player", "")
            others = {bet.player for bet in self.bets if bet.seat == seat} - {player}
            whose = "own" if player == str(seat) else "held" if seat in self.seats else "empty"
            found |= {f"seat {whose}", f"bets of others {min(2, len(others))}"}
        for bet in [bet for bet in self.bets if bet.player != str(bet.seat)]:
            found.add("beside holder" if bet.seat in self.seats else "on empty seat")
        return found | {"insured" for bet in self.bets if bet.insurance}

    def about(self, name: str, ref: str) -> Sentence:
        if name in OF_HANDS and ref:
            return f"question.{name}", self.named(ref)
        kind = situation.kind_of(self.incident)
        if name == "collected" and kind == "insurance_due":
            return "question.collected_insurance", {}
        if name == "announcement":
            return f"question.announcement_{kind}", {}
        if kind == "card_to_deal" and name in ("goes_to", "decides"):
            return f"question.{name}_dealt", {}
        if name == "right_number":
            return "question.right_number", {"marked": getattr(self.incident, "marked", 0)}
        if name == "paid_there":
            return "question.paid_there", {"seat": getattr(self.incident, "player", "")}
        if name in ("follows", "on_second"):
            return f"question.{name}", {"by": getattr(self.incident, "player", "")}
        return super().about(name, ref)

    def pointed(self, name: str, kind: str, value: Any) -> list[str]:
        """The seat that a sentence names."""
        if name == "seat" and isinstance(value, int):
            return [str(value)]
        return super().pointed(name, kind, value)


def parsed(name: str) -> tuple[int, int]:
    """The seat of a heap and the number of its hand: `seat4b` is 4 and 2."""
    number = name.removeprefix("seat")
    return int(number[0]), LETTERS.index(number[1:]) + 1


def check_seat(s: Situation, seat: int, which: int = 0) -> str:
    """The name of the hand that an incident is about."""
    hands = len(s.of_seat(seat))
    if max(1, which) > hands:
        raise ImpossibleFacts("incident.seat", "there is no such hand at seat {seat}", seat=seat)
    if not which and hands > 1:
        raise ImpossibleFacts("incident.hand", "which hand of seat {seat}?", seat=seat)
    return f"seat{seat}{LETTERS[max(1, which) - 1]}"


def check_player(s: Situation, player: str) -> None:
    if player not in s.people():
        raise ImpossibleFacts("incident.player", "nobody is at {place}", place=player)


def check_bank(s: Situation, least: int = 1) -> None:
    if len(s.bank_cards) < least:
        raise ImpossibleFacts("bank_cards", "the bank must have {least} cards or more", least=least)


def check_played(s: Situation) -> None:
    """Check hands to settle: two cards or more each, with a bet on each."""
    if not s.hands:
        raise ImpossibleFacts("hands", "no hand is dealt")
    for index, (name, hand) in enumerate(s.names().items()):
        if len(hand.cards) < 2:
            raise ImpossibleFacts(f"hands[{index}].cards", "a hand has two cards or more")
        if not s.on(name):
            raise ImpossibleFacts(f"hands[{index}].seat", "nobody has bet on this hand")
    for index, bet in enumerate(s.bets):
        if not s.of_seat(bet.seat):
            raise ImpossibleFacts(f"bets[{index}].seat", "seat {seat} has no hand", seat=bet.seat)


def lying(
    s: Situation,
    moved: Mapping[str, tuple[str, ...]] | None = None,
    *,
    discard: tuple[str, ...] = (),
    shoe: tuple[str, ...] | None = None,
    payments: tuple[Payment, ...] = (),
) -> After:
    """Where every card lies after the ruling: as before, apart from the heaps in `moved`."""
    heaps = {**s.heaps(), **(moved or {}), "discard": discard}
    heaps["shoe"] = heaps.pop("next") if shoe is None else shoe
    heaps.pop("next", None)
    return After(heaps={name: cards for name, cards in heaps.items() if cards}, payments=payments)
