"""The dealer forgot to offer insurance. V 33 lets players insure on his invitation and does not say until when he may
make up for it."""

from rules_engine.authoring import ImpossibleFacts, Place, Reasoning, Rulebook, Seat, Sentence, variant
from rules_engine.games.black_jack.books import BJ
from rules_engine.games.black_jack.draw import Draw
from rules_engine.games.black_jack.game import case_table, rule
from rules_engine.games.black_jack.hands import FIRST
from rules_engine.games.black_jack.setting import PLAIN, dealt, hidden, twice
from rules_engine.games.black_jack.settlement import share
from rules_engine.games.black_jack.table import Hand, Incident, Situation, check_bank, check_played, lying
from rules_engine.games.black_jack.turns import check_made

KIND = "insurance_forgotten"


class InsuranceForgotten(Incident, frozen=True, tag="insurance_forgotten"):
    """The bank shows an ace and nobody was offered insurance. The hands of the seats `made` are finished; a player asks
    to insure his bet on his own seat."""

    player: Place
    made: tuple[Seat, ...] = ()

    def check(self, situation: Situation) -> None:
        check_played(situation)
        check_bank(situation, FIRST)
        check_made(situation, self.made)
        if not situation.open_ace or any(bet.insurance for bet in situation.bets):
            raise ImpossibleFacts("bank_cards", "the bank shows an ace, and nobody is insured")
        if not any(bet.player == str(bet.seat) == self.player for bet in situation.bets):
            raise ImpossibleFacts("incident.player", "{player:player} has no bet on his seat", player=self.player)

    def narrated(self, situation: Situation) -> list[Sentence]:
        turned = "bank.2" not in situation.hidden
        form = "turned" if turned else "before" if not self.made else "play_one" if len(self.made) == 1 else "play"
        return [
            (f"incident.insurance_forgotten_{form}", {"made": self.made}),
            ("incident.insurance_asked_for", {"player": self.player}),
        ]


@rule(InsuranceForgotten, BJ)
def insurance_forgotten(s: Situation, incident: InsuranceForgotten, r: Reasoning) -> None:
    turned = "bank.2" not in s.hidden
    late = turned or (r.procedure == "until_play" and bool(incident.made))
    form = "turned" if turned else "late" if late else "in_time"
    r.pivot(KIND, f"insurance_{r.procedure}_{form}")
    bet = next(bet for bet in s.bets if bet.player == str(bet.seat) == incident.player)
    doubled = any(hand.doubled for hand in s.of_seat(bet.seat))
    first = bet.amount // 2 if doubled else bet.amount
    most = 0 if late else share(r.book, "insurance_share", first)
    r.choice("offered", "no" if late else "yes", critical=True)
    if not late:
        r.pivot("33 s1", "half_of_first_bet" if doubled else "half_at_most", stake=first, amount=most)
    wrong = [0, share(r.book, "insurance_share", first), first, bet.amount, bet.amount // 2]
    r.amount("largest_insurance", most, tempting=wrong)
    r.after(lying(s))


@case_table(
    "procedures",
    variant("insurance_before_play", {BJ: KIND}, moment="before"),
    variant("insurance_in_play", {BJ: KIND}, moment="play"),
    variant("insurance_after_the_turn", {BJ: KIND}, moment="turned"),
)
def _forgotten(draw: Draw, book: Rulebook, difficulty: int, *, moment: str) -> Situation:
    """Harder: the player who asks has doubled meanwhile."""
    facts = dealt(draw, book, difficulty, least=2)
    seats = list(facts["seats"])
    asked = {"before": 0, "play": draw.number(1, max(1, len(seats) - 1)), "turned": len(seats)}[moment]
    made = tuple(seats[:asked])
    player = draw.pick(made if made and draw.chance(0.6) else seats)
    doubles = difficulty >= 2 and player in made and draw.chance(0.3 * (difficulty - 1))
    hands = tuple(
        Hand(seat=seat, cards=(*draw.two(draw.pick((9, 10, 11))), draw.card("6789")), doubled=True)
        if doubles and seat == player
        else Hand(
            seat=seat, cards=draw.two(draw.pick((17, 18, 19, 20))) if seat in made else draw.two(draw.pick(PLAIN))
        )
        for seat in seats
    )
    bets = tuple(twice(bet) if doubles and bet.seat == player else bet for bet in facts["bets"])
    bank = (draw.card("A"), draw.card("T" if draw.chance(0.3) else "23456789"))
    face_down = () if moment == "turned" else hidden(bank)
    incident = InsuranceForgotten(player=str(player), made=made)
    return Situation(**facts | {"hands": hands, "bets": bets}, bank_cards=bank, hidden=face_down, incident=incident)
