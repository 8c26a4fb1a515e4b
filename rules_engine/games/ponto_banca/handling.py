"""Who handles the cards of each side, and how he may look at them.

1995: 15 s1 to s5. The present Macau text says nothing of it.
"""

from typing import Any, ClassVar, Literal

from msgspec import structs

from rules_engine.authoring import ImpossibleFacts, NotRegulated, Place, Reasoning, Rulebook, Sentence
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.baccarat.hands import lying
from rules_engine.games.ponto_banca.books import TEXTS_1995, articles
from rules_engine.games.ponto_banca.calls import Call
from rules_engine.games.ponto_banca.game import case, rule
from rules_engine.games.ponto_banca.setting import by_place, closed, table
from rules_engine.games.ponto_banca.table import OTHER, Bet, Incident, Side, Situation

SIDES: tuple[Side, ...] = ("ponto", "banker")
Does = Literal["looks", "lifts_away", "looks_at_third", "joins_third"]
# What a handler may do with the cards before him, and what he may not.
KEPT_ON_TABLE = {"looks": True, "lifts_away": False}
THIRD_APART = {"looks_at_third": True, "joins_third": False}


# At every level: among few players the right one is soon guessed.
SEATED = 5


class CardsToHandle(Incident, frozen=True, tag="cards_to_handle"):
    """The first cards are dealt. `declined` have said that they do not want to see them."""

    declined: tuple[Place, ...] = ()

    def check(self, situation: Situation) -> None:
        seated = {bet.player for bet in situation.bets if bet.on in SIDES and bet.player.isdigit()}
        for place in self.declined:
            if place not in seated:
                raise ImpossibleFacts(
                    "incident.declined", "{player:player} is not seated with a bet on ponto or bank", player=place
                )

    def sorts(self, situation: Situation) -> set[str]:
        """How many decline, and larger stakes that give no right: a standing player's, or one on the tie."""
        seated = max((bet.amount for bet in situation.bets if bet.on in SIDES and bet.player.isdigit()), default=0)
        larger = [bet for bet in situation.bets if bet.amount > seated]
        found = {"larger on the tie" if bet.on == "tie" else "larger standing" for bet in larger}
        return found | {f"{len(self.declined)} decline"}

    def narration(self) -> list[Sentence]:
        several = "cards_declined" if len(self.declined) > 1 else "cards_declined_one"
        declined = [(f"incident.{several}", {"declined": self.declined})] if self.declined else []
        return [("incident.cards_to_handle", {}), *declined]


class HandlerActs(Incident, frozen=True, tag="handler_acts"):
    """The player who handles a side's cards does something with them."""

    own: ClassVar = ("allowed",)

    player: Place
    side: Side
    does: Does

    def check(self, situation: Situation) -> None:
        cards = situation.ponto if self.side == "ponto" else situation.banker_cards
        if len(cards) != (3 if self.does in THIRD_APART else 2):
            raise ImpossibleFacts("incident.does", "that does not fit {count} cards", count=len(cards))
        if not any(bet.player == self.player and bet.on == self.side for bet in situation.bets):
            raise ImpossibleFacts("incident.player", "{player:player} has no bet on this side", player=self.player)

    def sorts(self, situation: Situation) -> set[str]:
        return {self.does, self.side}

    def asked(self, name: str, situation: Situation) -> Sentence | None:
        if name == "allowed" and self.does == "looks_at_third":
            return "question.allowed_looks_at_third", {}
        return super().asked(name, situation)


@rule(CardsToHandle, *TEXTS_1995)
def cards_to_handle(s: Situation, incident: CardsToHandle, r: Reasoning) -> None:
    for side in SIDES:
        _decide_handler(s, r, side, incident.declined)
    r.after(lying(ponto=s.ponto, banker=s.banker_cards, shoe=s.next))


def _decide_handler(s: Situation, r: Reasoning, side: Side, declined: tuple[str, ...]) -> None:
    bets = [bet for bet in s.bets if bet.on == side]
    standing = max((bet.amount for bet in bets if not bet.player.isdigit()), default=0)
    left = sorted((bet for bet in bets if bet.player.isdigit()), key=lambda bet: (-bet.amount, bet.player))
    plain = True
    while left and left[0].player in declined:
        first = left.pop(0)
        if left and left[0].amount == first.amount:
            raise NotRegulated("art. 15: the cards go on to a lower bet, and an equal one is not spoken of")
        r.pivot("15 s3", "declined", by=first.player, amount=first.amount)
        plain = False
    if not left:
        handler = _standing_handler(r, bets, side)
        r.player(f"handler.{side}", handler, tempting=(*(bet.player for bet in bets), *declined, "croupier"))
        return
    right = left[0]
    equals = tuple(bet.player for bet in left if bet.amount == right.amount)
    if len(equals) > 1:
        r.step("15 s1", "equal_stakes", side=side, equals=equals, amount=right.amount)
        r.pivot("15 s2", "lowest_seat", by=right.player)
    else:
        text = _by_stake(plain=plain, standing=standing > right.amount)
        r.step("15 s1", text, side=side, by=right.player, amount=right.amount, pivot=plain)
    tempting = [bet.player for bet in sorted(bets, key=lambda bet: -bet.amount)][:3]
    r.player(f"handler.{side}", right.player, tempting=(*tempting, "croupier"))


def _standing_handler(r: Reasoning, bets: list[Bet], side: Side) -> str:
    """No seated player has the cards: the croupier does or, by a house's reading, the largest bet of those standing."""
    standing = sorted((bet for bet in bets if not bet.player.isdigit()), key=lambda bet: (-bet.amount, bet.player))
    if standing and r.book.reads("PB15", "standing"):
        r.pivot("15 s5", "standing_handles", side=side, by=standing[0].player)
        return standing[0].player
    r.pivot("15 s5", "croupier_handles", side=side)
    return "croupier"


def _by_stake(*, plain: bool, standing: bool) -> str:
    """The sentence that gives a side's cards: `plain` if nobody has declined, `standing` if a standing player has bet
    more."""
    if plain:
        return "largest_seated" if standing else "largest_stake"
    return "next_seated" if standing else "next_stake"


@rule(HandlerActs, *TEXTS_1995)
def handler_acts(s: Situation, incident: HandlerActs, r: Reasoning) -> None:
    allowed = (KEPT_ON_TABLE | THIRD_APART)[incident.does]
    r.pivot("15 s4", f"{incident.does}", by=incident.player)
    r.choice("allowed", "allowed" if allowed else "refused")
    r.after(lying(ponto=s.ponto, banker=s.banker_cards, shoe=s.next))


def _ranked(draw: Draw, facts: dict[str, Any], *, equals: int = 0) -> list[Bet]:
    """Bets of different amounts, the largest first: all on one side except the last, which keeps the other side in
    play. The lowest seats are rarely among the first `equals`: they would have the cards too often."""
    side = draw.pick(SIDES)
    seats = draw.shuffled(facts["seats"])
    for low in sorted(seats)[:2]:
        at = seats.index(low)
        if at < equals < len(seats) - 1:
            other = draw.number(equals, len(seats) - 2)
            seats[at], seats[other] = seats[other], seats[at]
    # One unit more for a standing player and two for the tie stay within what every text allows on the tie: 20 s2, 11
    # d.
    amounts = sorted(draw.sample(range(2, 2 + max(7, len(seats))), len(seats)), reverse=True)
    bets = [Bet(str(seat), side, facts["minimum"] * amount) for seat, amount in zip(seats, amounts, strict=True)]
    return [*bets[:-1], Bet(bets[-1].player, OTHER[side], bets[-1].amount)]


def _dealt(
    draw: Draw, facts: dict[str, Any], difficulty: int, bets: list[Bet], *, declined: tuple[str, ...] = ()
) -> Situation:
    """Two cards each, face down. Harder: a larger stake of a standing player, then one on the tie as well."""
    top, minimum = bets[0], facts["minimum"]
    standing: tuple[str, ...] = ()
    if difficulty >= 3:
        standing = (f"{draw.pick(bets[:-1]).player}a",)
        bets = [*bets, Bet(standing[0], top.on, top.amount + minimum)]
    if difficulty >= 4:
        bets = [*bets, Bet(bets[1].player, "tie", top.amount + 2 * minimum)]
    return Situation(
        **facts,
        standing=standing,
        bets=by_place(bets),
        calls=(Call("croupier", "closed"), *(Call(place, "declines") for place in declined)),
        ponto=(draw.card(), draw.card()),
        banker_cards=(draw.card(), draw.card()),
        hidden=("ponto.1", "ponto.2", "banker.1", "banker.2"),
        incident=CardsToHandle(declined=declined),
    )


@case("handling", articles("15 s1"))
def largest_stake(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts = table(draw, book, difficulty, least=SEATED)
    return _dealt(draw, facts, difficulty, _ranked(draw, facts))


@case("handling", articles("15 s1", "15 s2"))
def equal_stakes(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts = table(draw, book, difficulty, least=SEATED)
    first, second, *others = _ranked(draw, facts, equals=2)
    return _dealt(draw, facts, difficulty, [first, Bet(second.player, second.on, first.amount), *others])


@case("handling", articles("15 s1", "15 s3"))
def one_declines(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Hard: the second declines too."""
    facts = table(draw, book, difficulty, least=SEATED)
    bets = _ranked(draw, facts)
    count = 2 if difficulty >= 3 and len(bets) >= 4 else 1
    return _dealt(draw, facts, difficulty, bets, declined=tuple(bet.player for bet in bets[:count]))


@case("handling", articles("15 s1", "15 s2", "15 s3"))
def declined_before_equals(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts = table(draw, book, difficulty, least=SEATED)
    first, second, third, *others = _ranked(draw, facts, equals=3)
    bets = [first, second, Bet(third.player, third.on, second.amount), *others]
    return _dealt(draw, facts, difficulty, bets, declined=(first.player,))


@case("handling", articles("15 s5"))
def nobody_seated_will(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """One side has only a standing player's bet, no bet at all, or a single seat that declines."""
    facts = table(draw, book, difficulty, least=SEATED)
    *bets, lone = _ranked(draw, facts)
    way = draw.pick(("declines", "nobody", "standing") if difficulty >= 2 else ("declines", "nobody"))
    if way == "declines":
        return _dealt(draw, facts, min(difficulty, 2), [*bets, lone], declined=(lone.player,))
    if way == "nobody":
        return _dealt(draw, facts, min(difficulty, 2), bets)
    made = _dealt(draw, facts, 1, bets)
    place = f"{lone.player}a"
    return structs.replace(made, standing=(place,), bets=(*made.bets, Bet(place, lone.on, lone.amount)))


@case("handling", articles("15 s4"))
def handler_looks(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts = closed(draw, book, difficulty)
    side = draw.pick(SIDES)
    does: Does = draw.pick(("looks", "lifts_away", "looks_at_third", "joins_third"))
    third = does in THIRD_APART
    # Both sides draw on these scores, whatever the ponto's third card.
    ponto, banker = draw.hand(draw.number(0, 5)), draw.hand(draw.number(0, 2))
    if third:
        ponto = (*ponto, draw.card())
        banker = (*banker, draw.card()) if side == "banker" else banker
    player = max((bet for bet in facts["bets"] if bet.on == side), key=lambda bet: (bet.amount, -int(bet.player)))
    incident = HandlerActs(player=player.player, side=side, does=does)
    # The cards he is about to see are face down; the ponto's are seen first.
    unseen: tuple[Side, ...] = SIDES if side == "ponto" else ("banker",)
    hidden = (f"{side}.3",) if third else tuple(f"{one}.{number}" for one in unseen for number in (1, 2))
    return Situation(**facts, ponto=ponto, banker_cards=banker, hidden=hidden, incident=incident)
