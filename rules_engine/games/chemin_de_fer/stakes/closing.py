"""The close of the betting: who closes it, when, and what may still change afterwards.

Portugal 40 (s1, s2, s3); Sanremo 10 (s2, s3, s4), 15 s2, 55 s1 and 55 s2.
"""

from typing import Any, Literal

from rules_engine.authoring import ImpossibleFacts, NotRegulated, Reasoning, Rulebook, Sentence, one_of, variant
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.chemin_de_fer.books import PT, SANREMO
from rules_engine.games.chemin_de_fer.game import case, case_table, domain, rule
from rules_engine.games.chemin_de_fer.setting import pontos
from rules_engine.games.chemin_de_fer.stakes.cover import check_ponto, closed, covered, stakes, table
from rules_engine.games.chemin_de_fer.table import Call, Incident, Place, Situation, Stake, Sum

domain("betting", "open", "closed")
domain("close_request", "close", "wait")
Change = Literal["withdraws", "reduces", "raises"]


class StakeAfterWords(Incident, frozen=True, tag="stake_after_words"):
    """Somebody has just said the closing words, as the calls show; then a ponto puts down a stake."""

    player: Place
    amount: Sum

    def check(self, situation: Situation) -> None:
        check_ponto(situation, "player", self.player)
        if not situation.calls or situation.calls[-1].says != "closed":
            raise ImpossibleFacts("calls", "nobody has said the closing words")


@rule(StakeAfterWords, *PT)
def words_close_pt(s: Situation, incident: StakeAfterWords, r: Reasoning) -> None:
    by = s.calls[-1].by
    r.pivot("40 s3", "stakes.croupier_closed" if by == "croupier" else "stakes.only_croupier_closes", by=by)
    if by == "croupier":
        r.pivot("40 s2", "stakes.removed_after_close", player=incident.player)
    _closed_or_not(r, by == "croupier")


@rule(StakeAfterWords, SANREMO)
def words_close_sanremo(s: Situation, incident: StakeAfterWords, r: Reasoning) -> None:
    by = s.calls[-1].by
    r.pivot("10 s2", "stakes.croupier_closed" if by == "croupier" else "stakes.only_croupier_closes", by=by)
    if by == "croupier":
        r.pivot("15 s2", "stakes.before_close", player=incident.player)
    _closed_or_not(r, by == "croupier")


def _closed_or_not(r: Reasoning, is_closed: bool) -> None:
    r.choice("betting", "closed" if is_closed else "open", critical=True)
    r.choice("allowed", "refused" if is_closed else "allowed", critical=True)


class CloseAsked(Incident, frozen=True, tag="close_asked"):
    """The banker wants the croupier to close; `time_given` is whether the pontos have had time to stake."""

    time_given: bool

    def narration(self) -> list[Sentence]:
        return [(f"incident.close_asked_{'late' if self.time_given else 'early'}", {})]


@rule(CloseAsked, *PT)
def close_asked_pt(s: Situation, incident: CloseAsked, r: Reasoning) -> None:
    r.pivot("40 s1", "stakes.time_given" if incident.time_given else "stakes.time_first")
    r.step("40 s3", "stakes.croupier_closes")
    r.choice("close_request", "close" if incident.time_given else "wait", critical=True)


@rule(CloseAsked, SANREMO)
def close_asked_sanremo(s: Situation, incident: CloseAsked, r: Reasoning) -> None:
    r.pivot("10 s3", "stakes.may_ask_after_time" if incident.time_given else "stakes.time_first")
    r.step("10 s2", "stakes.croupier_closes")
    r.choice("close_request", "close" if incident.time_given else "wait", critical=True)


class StakeChanged(Incident, frozen=True, tag="stake_changed"):
    """A ponto wants to change his stake, before or after the close, as the calls show.

    `more_accepted`: the banker has since accepted another stake.
    """

    player: Place
    to: Sum
    more_accepted: bool = False

    def check(self, situation: Situation) -> None:
        check_ponto(situation, "player", self.player)
        if self.player not in {stake.player for stake in situation.stakes}:
            raise ImpossibleFacts("incident.player", "he has no stake to change")
        if self.to == sum(stake.amount for stake in situation.stakes if stake.player == self.player):
            raise ImpossibleFacts("incident.to", "that is what he has staked")

    def act_asked(self) -> str:
        return "stake_changed" if self.to else "stake_withdrawn"

    def narration(self) -> list[Sentence]:
        told = [(f"incident.stake_{'changed' if self.to else 'withdrawn'}", {"player": self.player, "to": self.to})]
        return [("incident.more_accepted", {}), *told] if self.more_accepted else told


@rule(StakeChanged, *PT)
def stake_changed_pt(s: Situation, incident: StakeChanged, r: Reasoning) -> None:
    now = covered(s, r.book) - covered(s, r.book, but=incident.player)
    if _still_open(s, incident):
        _before_close(s, incident, r, now, "58")
        return
    if incident.more_accepted or incident.to < now:
        raise NotRegulated("art. 40: after the close the text speaks of chips put down, not of chips taken back")
    r.pivot("40 s2", "stakes.removed_after_close", player=incident.player)
    _changed(r, incident, now, allowed=False)


@rule(StakeChanged, SANREMO)
def stake_changed_sanremo(s: Situation, incident: StakeChanged, r: Reasoning) -> None:
    now = covered(s, r.book) - covered(s, r.book, but=incident.player)
    if _still_open(s, incident):
        _before_close(s, incident, r, now, "10 s4")
        return
    r.pivot("10 s4", "stakes.nothing_after_close")
    if incident.more_accepted:
        r.pivot("55 s1", "stakes.reopened", player=incident.player)
    _changed(r, incident, now, allowed=incident.more_accepted)


def _still_open(s: Situation, incident: StakeChanged) -> bool:
    return not incident.more_accepted and all((call.by, call.says) != ("croupier", "closed") for call in s.calls)


def _before_close(s: Situation, incident: StakeChanged, r: Reasoning, now: int, cite: str) -> None:
    """Until the croupier closes, everybody stakes what he likes within the bank."""
    room = s.bank - covered(s, r.book, but=incident.player)
    if incident.to > room:
        raise NotRegulated("arts. 10 and 58: the stakes would pass the bank, and the text does not say whose gives way")
    r.pivot(cite, "stakes.not_closed_yet", player=incident.player)
    _changed(r, incident, now, allowed=True)


def _changed(r: Reasoning, incident: StakeChanged, now: int, *, allowed: bool) -> None:
    r.choice("allowed", "allowed" if allowed else "refused", critical=True)
    r.amount("stake_plays", incident.to if allowed else now, tempting=[incident.to, now, abs(now - incident.to), 0])


class LateStakes(Incident, frozen=True, tag="late_stakes"):
    """After the close pontos offer further stakes, and the banker is willing to accept them all.

    `in_time`: they had put them down before the croupier spoke, and the banker would like to be rid of them.
    """

    offers: tuple[Stake, ...]
    in_time: bool = False

    def check(self, situation: Situation) -> None:
        for offer in self.offers:
            check_ponto(situation, "offers", offer.player)
            if offer.line or not offer.amount:
                raise ImpossibleFacts("incident.offers", "a late stake is a sum past the line")
        if not self.offers:
            raise ImpossibleFacts("incident.offers", "nobody offers anything")

    def act_asked(self) -> str:
        return "early_stakes" if self.in_time else "late_stakes"

    def narration(self) -> list[Sentence]:
        one, all_of_them = ("early_stake", "early_stakes") if self.in_time else ("late_stake", "late_stakes")
        each = [(f"incident.{one}", {"player": offer.player, "amount": offer.amount}) for offer in self.offers]
        return [*each, (f"incident.{all_of_them}", {})]


@rule(LateStakes, *PT)
def late_stakes_pt(s: Situation, incident: LateStakes, r: Reasoning) -> None:
    if incident.in_time:
        _in_time(s, incident, r, "40 s2", "58")
        return
    r.pivot("40 s2", "stakes.banker_cannot_reopen")
    _late(s, incident, r, allowed=False, add=0)


@rule(LateStakes, SANREMO)
def late_stakes_sanremo(s: Situation, incident: LateStakes, r: Reasoning) -> None:
    if incident.in_time:
        _in_time(s, incident, r, "10 s4", "10 s4")
        return
    r.pivot("55 s1", "stakes.banker_may_reopen")
    total = covered(s, r.book) + sum(offer.amount for offer in incident.offers)
    add = max(0, total - s.bank)
    if add:
        r.pivot("55 s2", "stakes.banker_adds", total=total, bank=s.bank, add=add)
    else:
        r.pivot("55 s2", "stakes.nothing_to_add", total=total, bank=s.bank)
    _late(s, incident, r, allowed=True, add=add)


def _in_time(s: Situation, incident: LateStakes, r: Reasoning, close: str, room: str) -> None:
    """Only what is put down after the close is returned; until then everybody may stake what the bank has room for."""
    total = covered(s, r.book) + sum(offer.amount for offer in incident.offers)
    if total > s.bank:
        raise NotRegulated("arts. 10 and 58: the stakes would pass the bank, and the text does not say whose gives way")
    r.pivot(close, "stakes.put_before_close")
    r.pivot(room, "stakes.within_bank", total=total, bank=s.bank)
    _late(s, incident, r, allowed=True, add=0)


def _late(s: Situation, incident: LateStakes, r: Reasoning, *, allowed: bool, add: int) -> None:
    late = sum(offer.amount for offer in incident.offers)
    r.choice("allowed", "allowed" if allowed else "refused", critical=True)
    r.amount("must_add", add, tempting=[late, max(0, s.bank - covered(s, r.book)), 0], critical=True)


def _waiting(draw: Draw, book: Rulebook, difficulty: int, *, lines: bool = True) -> dict[str, Any]:
    """A table whose stakes cover half the bank, the betting not yet closed."""
    facts = table(draw, book, difficulty)
    return facts | {"stakes": stakes(draw, facts, difficulty, facts["bank"] // 2, lines=lines)}


@case("stakes", {PT[0]: "40 s3", SANREMO: "10 s2"})
def somebody_says_closed(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts = _waiting(draw, book, difficulty)
    speakers = [*["croupier"] * 3, facts["banker"], "inspector", draw.pick(pontos(facts))]
    facts["calls"] = (*facts["calls"], Call(draw.pick(speakers), "closed"))
    amount = facts["unit"] * draw.number(1, 5)
    return Situation(**facts, incident=StakeAfterWords(player=draw.pick(pontos(facts)), amount=amount))


@case("stakes", {PT[0]: "40 s1", SANREMO: "10 s3"})
def banker_in_a_hurry(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return Situation(**_waiting(draw, book, difficulty), incident=CloseAsked(time_given=draw.chance(0.5)))


def _change(
    draw: Draw, book: Rulebook, difficulty: int, change: Change, *, reopened: bool = False, still_open: bool = False
) -> Situation:
    facts = _waiting(draw, book, difficulty, lines=False)
    facts["calls"] = facts["calls"] if still_open else closed(facts)
    changed: Stake = draw.pick(facts["stakes"])
    unit = facts["unit"]
    less = unit * draw.number(1, changed.amount // unit - 1) if changed.amount > unit else 0
    to = {"withdraws": 0, "reduces": less, "raises": changed.amount + unit * draw.number(1, 4)}[change]
    return Situation(**facts, incident=StakeChanged(player=changed.player, to=to, more_accepted=reopened))


@case("stakes", {SANREMO: "10 s4"})
def change_after_the_close(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    change: Change = draw.pick(("withdraws", "reduces", "raises"))
    return _change(draw, book, difficulty, change, reopened=difficulty >= 3 and draw.chance(0.4))


case_table(
    "stakes",
    variant("raise_after_the_close", {PT[0]: "40 s2"}, change="raises"),
    variant("raise_before_the_close", {PT[0]: "58", SANREMO: "10 s4"}, change="raises", still_open=True),
    variant("change_when_reopened", {SANREMO: "55 s1"}, change=one_of("withdraws", "reduces", "raises"), reopened=True),
)(_change)


@case("stakes", {PT[0]: "40 s2", SANREMO: ("55 s1", "55 s2")})
def further_stakes_accepted(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """The bank had room for half of it; the new stakes stay just within it, fill it, or exceed it.

    In Portugal the same stakes may have been put down in time; then they stay.
    """
    facts = _waiting(draw, book, difficulty)
    facts["calls"] = closed(facts)
    unit, room = facts["unit"], facts["bank"] // 2
    in_time = book.coded_as in PT and draw.chance(0.4)
    beyond = draw.pick((-2, -1, 0) if in_time else (-2, -1, 0, 1, 2, 3)) * unit * (1 if difficulty >= 3 else 2)
    players = draw.sample(pontos(facts), 1 if difficulty <= 2 else 2)
    first = unit * draw.number(1, 3) if len(players) == 2 else room + beyond
    sums = [first, room + beyond - first][: len(players)]
    offers = tuple(Stake(player, amount) for player, amount in zip(players, sums, strict=True))
    return Situation(**facts, incident=LateStakes(offers=offers, in_time=in_time))
