"""The banker accepts any stake: what that binds him to, the total announced, and the bank that follows.

Sanremo 71 (s1 to s4), with the house's share of 10 s1.
"""

from rules_engine.authoring import ImpossibleFacts, Reasoning, Rulebook, Sentence, Utterance
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.chemin_de_fer.books import SANREMO
from rules_engine.games.chemin_de_fer.game import case, domain, rule
from rules_engine.games.chemin_de_fer.stakes.announced import house_share, percent
from rules_engine.games.chemin_de_fer.stakes.cover import Facts, closed, covered, stakes, table
from rules_engine.games.chemin_de_fer.table import Call, Incident, Says, Situation

domain("tout_va", "bound", "free")
domain("keeps_seat", "keeps", "loses")


class ToutVaRefused(Incident, frozen=True, tag="tout_va_refused"):
    """The banker declared tout va, or that he would see the stakes; they are down, and he will not deal the coup."""

    def check(self, situation: Situation) -> None:
        if not _saw_stakes(situation):
            _check_declared(situation)


def _saw_stakes(s: Situation) -> bool:
    return any(call.says == "see_stakes" for call in s.calls)


def _check_declared(s: Situation) -> None:
    if not any(call.says == "tout_va" for call in s.calls):
        raise ImpossibleFacts("calls", "the banker has not declared tout va")


@rule(ToutVaRefused, SANREMO)
def tout_va_refused(s: Situation, incident: ToutVaRefused, r: Reasoning) -> None:
    if _saw_stakes(s):
        r.pivot("72 s1", "bank.saw_and_refused")
        r.choice("allowed", "allowed", critical=True)
        r.choice("keeps_seat", "keeps", critical=True)
        return
    r.pivot("71 s1", "stakes.tout_va_must_deal", banker=s.banker)
    r.choice("allowed", "refused", critical=True)
    r.choice("keeps_seat", "loses", critical=True)


class ToutVaClosed(Incident, frozen=True, tag="tout_va_closed"):
    """The banker declared tout va and the betting has just been closed."""

    def check(self, situation: Situation) -> None:
        _check_declared(situation)
        if situation.calls[-1].says != "closed":
            raise ImpossibleFacts("calls", "the betting is not closed")


@rule(ToutVaClosed, SANREMO)
def tout_va_closed(s: Situation, incident: ToutVaClosed, r: Reasoning) -> None:
    total = covered(s, r.book)
    due = max(0, total - s.bank)
    if any(stake.line for stake in s.stakes):
        r.pivot("16 s1", "stakes.lines_play_half", won=total)
    r.pivot("71 s2", "stakes.total_and_cover" if due else "stakes.total_covered", total=total, due=due)
    r.step("10 s2", "stakes.croupier_closed", by="croupier")
    chips = sum(stake.amount for stake in s.stakes)
    wrong = [Utterance("stakes_total", {"amount": amount}) for amount in (s.bank, s.bank + total, chips, due)]
    r.words("stakes_total", amount=total, tempting=wrong)
    r.amount("cover_due", due, tempting=[total, s.bank, 0], critical=True)


class ToutVaAgain(Incident, frozen=True, tag="tout_va_again"):
    """Another coup of the same hand; `declared` says for each earlier coup whether the banker declared tout va."""

    declared: tuple[bool, ...]

    def check(self, situation: Situation) -> None:
        if not any(self.declared):
            raise ImpossibleFacts("incident.declared", "he has not declared tout va in this hand")

    def narration(self) -> list[Sentence]:
        coups = [{"said": "said" if said else "not"} for said in self.declared]
        return [("incident.tout_va_coups", {"coups": coups}), ("incident.tout_va_again", {})]


@rule(ToutVaAgain, SANREMO)
def tout_va_again(s: Situation, incident: ToutVaAgain, r: Reasoning) -> None:
    running = longest = 0
    for said in incident.declared:
        running = running + 1 if said else 0
        longest = max(longest, running)
    needed = r.book.number("tout_va_binding_coups")
    bound = longest >= needed
    r.pivot("71 s3", "stakes.tout_va_holds" if bound else "stakes.tout_va_lapses", running=longest, needed=needed)
    r.choice("tout_va", "bound" if bound else "free", critical=True)


class ToutVaWon(Incident, frozen=True, tag="tout_va_won"):
    """The banker declared tout va and has won the coup. What is the bank of the next?"""

    def check(self, situation: Situation) -> None:
        _check_declared(situation)
        if not situation.stakes:
            raise ImpossibleFacts("stakes", "nobody staked against the bank")


@rule(ToutVaWon, SANREMO)
def tout_va_won(s: Situation, incident: ToutVaWon, r: Reasoning) -> None:
    won = covered(s, r.book)
    share = house_share(r.book, won)
    after = won * r.book.number("tout_va_multiple") - share
    r.pivot("10 s1", "stakes.house_share", won=won, share=share, percent=percent(r.book))
    r.pivot("71 s4", "stakes.twice_what_was_won", won=won, share=share, after=after)
    r.amount("cagnotte", share, tempting=[share * 2, share // 2, 0], critical=True)
    wrong = [won * 2, s.bank + won - share, won - share, s.bank * 2, s.bank + won]
    r.amount("next_bank", after, tempting=wrong, critical=True)


def _declared(draw: Draw, book: Rulebook, difficulty: int, says: Says = "tout_va") -> Facts:
    """Tout va, or the like, has been declared; the stakes exceed the bank or, harder, stay below it."""
    facts = table(draw, book, difficulty)
    facts["calls"] = (*facts["calls"], Call(facts["banker"], says))
    share = draw.pick((2, 3, 5, 6, 8)) if difficulty >= 3 else draw.pick((5, 6, 8, 10))
    total = facts["bank"] * share // 4
    # The house's share of it must be a whole sum.
    facts["stakes"] = stakes(draw, facts, difficulty, total - total % (2 * facts["unit"]), lines=True)
    return facts | {"calls": closed(facts)}


@case("bank_capital", {SANREMO: "71 s1"})
def tout_va_not_dealt(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return Situation(**_declared(draw, book, difficulty), incident=ToutVaRefused())


@case("bank_capital", {SANREMO: "72 s1"})
def stakes_seen_not_dealt(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return Situation(**_declared(draw, book, difficulty, "see_stakes"), incident=ToutVaRefused())


@case("announcements", {SANREMO: "71 s2"})
def tout_va_total(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return Situation(**_declared(draw, book, difficulty), incident=ToutVaClosed())


@case("bank_capital", {SANREMO: "71 s3"})
def tout_va_next_coup(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Declared once, in consecutive coups, or in separate coups."""
    facts = table(draw, book, difficulty)
    easy = ((True,), (True, True), (False, True))
    hard = (
        (True, False, True),
        (False, True, True, False),
        (True, False, True, False),
        (True, True, False),
        (False, True),
    )
    declared = draw.pick(easy if difficulty <= 2 else hard)
    return Situation(**facts, wins=len(declared), incident=ToutVaAgain(declared=declared))


@case("bank_capital", {SANREMO: ("10 s1", "71 s4")})
def tout_va_bank_after(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts = _declared(draw, book, difficulty)
    return Situation(**facts, wins=draw.number(1, 3), incident=ToutVaWon())
