"""The bank's second card is seen too early. V 17 deals it face down and does not say what becomes of it then."""

from rules_engine.authoring import ImpossibleFacts, Reasoning, Rulebook, Seat, Sentence, chance, variant
from rules_engine.games.black_jack.books import BJ
from rules_engine.games.black_jack.draw import Draw
from rules_engine.games.black_jack.game import case_table, domain, rule
from rules_engine.games.black_jack.hands import FIRST, makes_black_jack
from rules_engine.games.black_jack.naturals import DANGER
from rules_engine.games.black_jack.setting import PLAIN, beside, dealt, in_order, stake
from rules_engine.games.black_jack.table import BANK, Bet, Hand, Incident, Situation, check_bank, check_played, lying
from rules_engine.games.black_jack.turns import check_made, next_asked

KIND = "hole_card_exposed"
NOBODY = "nobody"
domain("exposed", "stays", "replaced", "settled")


class HoleCardExposed(Incident, frozen=True, tag="hole_card_exposed"):
    """By mistake the bank's second card is turned before all hands are played. `made` are the seats whose hands are
    finished; the others have not been asked."""

    made: tuple[Seat, ...] = ()

    def check(self, situation: Situation) -> None:
        check_played(situation)
        check_bank(situation, FIRST)
        if len(situation.bank_cards) != FIRST or situation.hidden:
            raise ImpossibleFacts("hidden", "the bank's second card must lie face up")
        if any(situation.is_split(hand.seat) for hand in situation.hands):
            raise ImpossibleFacts("hands", "nobody has split")
        check_made(situation, self.made)

    def narration(self) -> list[Sentence]:
        form = "" if not self.made else "_after_one" if len(self.made) == 1 else "_after"
        return [(f"incident.hole_card_exposed{form}", {"made": self.made})]


@rule(HoleCardExposed, BJ)
def hole_card_exposed(s: Situation, incident: HoleCardExposed, r: Reasoning) -> None:
    replaced = r.procedure == "replace" and not incident.made
    form = "replaced" if replaced else "too_late" if r.procedure == "replace" else "stays"
    r.pivot(KIND, f"hole_card_{form}", card=s.bank_cards[1])
    if replaced:
        r.choice("exposed", "replaced", critical=True)
        r.player("asked", next_asked(s, r, incident.made), tempting=(NOBODY,))
        r.after(lying(s, {BANK: s.bank_cards[:1]}, discard=s.bank_cards[1:]))
        return
    if makes_black_jack(r.book, s.bank_cards):
        r.pivot("20 s1", "hole_card_black_jack")
        r.choice("exposed", "settled", critical=True)
        r.player("asked", NOBODY)
    else:
        r.choice("exposed", "stays", critical=True)
        r.player("asked", next_asked(s, r, incident.made), tempting=(NOBODY,))
    r.after(lying(s))


def _bank(draw: Draw) -> tuple[str, ...]:
    """Black jack rather often, because it decides; otherwise any two cards, often with an ace or a ten among them."""
    if draw.chance(0.4):
        return draw.black_jack()
    return draw.card(draw.pick(("A", "T", "23456789"))), draw.card("23456789")


@case_table(
    "procedures",
    variant("hole_card_any_time", {BJ: KIND}, played=chance(0.4)),
    variant("hole_card_in_play", {BJ: KIND}, played=True),
)
def _exposed(draw: Draw, book: Rulebook, difficulty: int, *, played: bool) -> Situation:
    """Harder: more players, black jack that is not asked, and an empty seat that somebody else decides for."""
    facts = dealt(draw, book, difficulty, least=3 if difficulty < 3 else 4)
    seats, bets = list(facts["seats"]), list(facts["bets"])
    free = [seat for seat in range(1, facts["places"] + 1) if seat not in seats]
    if difficulty >= 3 and free:
        empty, amount = draw.pick(free), stake(draw, facts)
        first, second = draw.sample(facts["seats"], 2)
        bets.append(Bet(player=str(first), seat=empty, amount=amount))
        bets.append(Bet(player=str(second), seat=empty, amount=amount + facts["minimum"] * draw.number(0, 1)))
        seats = sorted([*seats, empty])
    elif difficulty >= 2:
        bets.append(beside(draw, facts, draw.pick(seats)))
    bank = _bank(draw)
    asked = draw.number(1, len(seats) - 1) if played else 0
    skips = difficulty >= 2 and bank[0][0] in DANGER and asked < len(seats) - 1 and draw.chance(0.6)
    hands = tuple(
        Hand(seat=seat, cards=draw.black_jack() if skips and index == asked else draw.two(draw.pick(PLAIN)))
        for index, seat in enumerate(seats)
    )
    facts |= {"bets": in_order(bets), "hands": hands, "bank_cards": bank}
    return Situation(**facts, incident=HoleCardExposed(made=tuple(seats[:asked])))
