"""Stakes without bancô: free until the bank is covered, each player's own; and the cards lost by delaying.

Portugal 58, 59 and 105 e-2; Sanremo 15 s1.
"""

from msgspec.structs import replace

from rules_engine.authoring import ImpossibleFacts, NotRegulated, Reasoning, Rulebook, Sentence
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.chemin_de_fer.association import tell_kept_partner
from rules_engine.games.chemin_de_fer.books import PT, SANREMO
from rules_engine.games.chemin_de_fer.claims.facts import BANCO, ClaimsOpen, asked, staked, stakers
from rules_engine.games.chemin_de_fer.claims.largest_stake import by_stake, stake_pt, stake_sanremo
from rules_engine.games.chemin_de_fer.claims.table_talk import callers, close, company, seat_pontos, side_stakes, talk
from rules_engine.games.chemin_de_fer.game import case, domain, rule
from rules_engine.games.chemin_de_fer.table import Call, Place, Situation, Stake, Sum

domain("stake_taken", "whole", "part", "none")


class StakeOffered(ClaimsOpen, frozen=True, kw_only=True, tag="stake_offered"):
    """A ponto pushes `amount` more forward while the bank is being covered."""

    player: Place
    amount: Sum

    def check(self, situation: Situation) -> None:
        super().check(situation)
        if self.player == situation.banker:
            raise ImpossibleFacts("incident.player", "the banker does not stake against himself")
        if not self.amount:
            raise ImpossibleFacts("incident.amount", "no stake is offered")


@rule(StakeOffered, *PT)
def stake_offered(s: Situation, incident: StakeOffered, r: Reasoning) -> None:
    if asked(s, *BANCO):
        raise NotRegulated("art. 58: bancô has been asked, and the stakes of the table are another matter")
    left = s.bank - sum(staked(s, r.book, place) for place in stakers(s))
    taken = min(left, incident.amount)
    if taken <= 0:
        r.pivot("58", "claims.bank_covered", player=incident.player, bank=s.bank)
        r.choice("stake_taken", "none", critical=True)
        r.amount("stake_plays", 0, tempting=[incident.amount, s.bank], critical=True)
        return
    r.pivot("58", "claims.stakes_free", player=incident.player, left=left, taken=taken)
    r.choice("stake_taken", "whole" if taken == incident.amount else "part", critical=True)
    r.amount("stake_plays", taken, tempting=[incident.amount, left, s.bank], critical=True)


class StakesPooled(ClaimsOpen, frozen=True, kw_only=True, tag="stakes_pooled"):
    """The heap in front of `player` contains chips worth `amount` that belong to `owner`, pooled to get the cards."""

    player: Place
    owner: Place
    amount: Sum

    def check(self, situation: Situation) -> None:
        super().check(situation)
        heap = sum(stake.amount for stake in situation.stakes if stake.player == self.player)
        if self.player == self.owner or not 0 < self.amount < heap:
            raise ImpossibleFacts("incident.amount", "two players' chips must lie in the heap")

    def narrated(self, situation: Situation) -> list[Sentence]:
        heap = sum(stake.amount for stake in situation.stakes if stake.player == self.player)
        return [(id, {**values, "heap": heap}) for id, values in super().narrated(situation)]


@rule(StakesPooled, *PT)
def stakes_pooled_pt(s: Situation, incident: StakesPooled, r: Reasoning) -> None:
    r.pivot("59", "claims.no_pooling", player=incident.player, owner=incident.owner, amount=incident.amount)
    r.choice("allowed", "refused", critical=True)
    holder = stake_pt(_apart(s, incident), _plain(incident), r).place
    r.player("cards_to", holder, tempting=[incident.player, incident.owner], critical=True)


@rule(StakesPooled, SANREMO)
def stakes_pooled_sanremo(s: Situation, incident: StakesPooled, r: Reasoning) -> None:
    r.pivot("15 s1", "claims.no_pooling", player=incident.player, owner=incident.owner, amount=incident.amount)
    r.choice("allowed", "refused", critical=True)
    tell_kept_partner(s, r)
    holder = stake_sanremo(_apart(s, incident), _plain(incident), r).place
    r.player("cards_to", holder, tempting=[incident.player, incident.owner], critical=True)


def _apart(s: Situation, incident: StakesPooled) -> Situation:
    """The stakes with each player's chips in front of himself."""
    heap = sum(stake.amount for stake in s.stakes if stake.player == incident.player)
    others = tuple(stake for stake in s.stakes if stake.player != incident.player)
    own = (Stake(incident.player, heap - incident.amount), Stake(incident.owner, incident.amount))
    return replace(s, stakes=(*others, *own), incident=_plain(incident))


def _plain(incident: ClaimsOpen) -> ClaimsOpen:
    """The facts by which the stakes are judged, without the incident itself."""
    return ClaimsOpen(cannot_play=incident.cannot_play, by_rule=incident.by_rule, partner=incident.partner)


class PontoKeepsDelaying(ClaimsOpen, frozen=True, kw_only=True, tag="ponto_keeps_delaying"):
    """The ponto with the cards will not announce, even after the inspector has asked him to."""

    def check(self, situation: Situation) -> None:
        super().check(situation)
        if situation.holder is None or situation.holder not in stakers(situation):
            raise ImpossibleFacts("holder", "the ponto with the cards must have staked")


@rule(PontoKeepsDelaying, *PT)
def ponto_keeps_delaying(s: Situation, incident: PontoKeepsDelaying, r: Reasoning) -> None:
    """The inspector may give the cards to the next stake, which is again a seated player's."""
    holder = str(s.holder)
    left = tuple(stake for stake in s.stakes if stake.player != holder)
    ranked = by_stake(s, r, [place for place in stakers(s) if place != holder])
    largest = staked(s, r.book, holder)
    between = [place for place in ranked if not place.isdigit() and staked(s, r.book, place) <= largest]
    seated = [place for place in ranked if place.isdigit()]
    if s.claim != "stake" or not seated:
        raise NotRegulated("art. 105 e) gives the cards to the next stake, and there is none")
    if between and ranked.index(between[0]) < ranked.index(seated[0]):
        raise NotRegulated("art. 105 e): the text does not say whether a standing player's stake is the next")
    r.pivot("105 e-2", "claims.delay_loses_cards", who=holder)
    rest = replace(s, stakes=left, holder=None, incident=_plain(incident))
    r.player("cards_to", stake_pt(rest, _plain(incident), r).place, tempting=[holder, *ranked[:2]], critical=True)


@case("cards_to", {PT[0]: "58"})
def stake_within_bank(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """The bank is open, nobody has asked for it, and a stake comes that fits into what is left, or does not."""
    facts = company(draw, book, difficulty)
    stakes = side_stakes(draw, facts, among=draw.sample(callers(facts), 3))
    left = facts["bank"] - sum(stake.amount for stake in stakes)
    unit = facts["unit"]
    covered = difficulty >= 2 and draw.chance(0.2)
    if covered:
        stakes.append(Stake(draw.pick(callers(facts)), left))
    over = unit * (draw.number(-1, 1) if difficulty >= 3 else draw.pick((-3, 3)))
    incident = StakeOffered(player=draw.pick(callers(facts)), amount=max(unit, left + over))
    return talk(facts, [], incident, stakes=stakes)


@case("cards_to", {PT[0]: "59", SANREMO: "15 s1"})
def stakes_together(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Two players put their chips in one heap and pass a third, whose own stake is larger than either."""
    facts = company(draw, book, difficulty)
    player, rival, other = draw.sample(seat_pontos(facts), 3)
    owner = draw.pick([place for place in callers(facts) if place not in (player, rival, other)] or [other])
    unit, top = facts["unit"], facts["bank"] // 5
    top = max(3, top // unit) * unit
    mine, theirs = top - unit, draw.number(2, max(2, top // unit - 1)) * unit
    stakes = [Stake(player, mine + theirs), Stake(rival, top)]
    if difficulty >= 3 and owner != other:
        stakes.append(Stake(other, top))
    return talk(facts, [close()], StakesPooled(player=player, owner=owner, amount=theirs), stakes=draw.shuffled(stakes))


@case("cards_to", {PT[0]: "105 e-2"})
def ponto_dawdles(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """The next stake may be shared by two, or belong to somebody who cannot play."""
    facts = company(draw, book, difficulty, seated=4)
    stakes = side_stakes(draw, facts, among=draw.sample(seat_pontos(facts), 4))
    cannot: tuple[str, ...] = ()
    if difficulty >= 3:
        stakes[2] = Stake(stakes[2].player, stakes[1].amount)
    if difficulty >= 4:
        cannot = (draw.pick(stakes[1:3]).player,)
    calls = [close(), Call("banker", "dealt"), Call("inspector", "announce_please")]
    table = facts | {"holder": stakes[0].player, "claim": "stake"}
    return talk(table, calls, PontoKeepsDelaying(cannot_play=cannot), stakes=draw.shuffled(stakes), draw=draw)
