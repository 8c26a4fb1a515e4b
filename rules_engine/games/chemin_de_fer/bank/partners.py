"""A partner of the banker: whether he may join, what he puts in, what he may do, and how it binds the banker.

Portugal 31 (s1, s2); Sanremo 56 s1, 77 s2, 78, 79, 80, 81, 82 (s1, s2, s3, s4), 83 s1.
"""

from typing import Any, Literal

from rules_engine.authoring import ImpossibleFacts, NotRegulated, Reasoning, Rulebook, Sentence
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.chemin_de_fer.association import least_seated, tell_kept_partner, too_few, too_few_seated
from rules_engine.games.chemin_de_fer.bank.places import check_at_table
from rules_engine.games.chemin_de_fer.books import PT, SANREMO
from rules_engine.games.chemin_de_fer.game import case, rule
from rules_engine.games.chemin_de_fer.setting import SEATED, money, pontos
from rules_engine.games.chemin_de_fer.table import SEATS, Incident, Place, Situation, Stake, Sum

Act = Literal["advise", "draw", "contest", "withdraw", "share_at_end", "puts_stake"]


class PartnerJoins(Incident, frozen=True, tag="partner_joins"):
    """`player` offers to join the banker with `adds`. The stated bank is the banker's own money.

    `bars` is the inspector's objection, if he has one; `already` is a partner the banker has already.
    """

    tells = ("minimum",)

    player: Place
    adds: Sum
    accepted: bool = True
    moment: Literal["start", "later"] = "start"
    already: Place | None = None
    bars: Literal["thin_play", "several_hands"] | None = None

    def check(self, situation: Situation) -> None:
        check_at_table(situation, player=self.player, already=self.already)
        if situation.banker in (self.player, self.already) or self.player == self.already:
            raise ImpossibleFacts(
                "incident.player", "a partner must be somebody other than the banker and his present partner"
            )

    def partner_fact(self) -> str:
        return "already" if self.already else ""

    def narration(self) -> list[Sentence]:
        told: list[Sentence] = [
            (f"incident.partner_joins.{self.moment}", {"player": self.player, "adds": self.adds}),
            (f"incident.partner_joins.{'accepted' if self.accepted else 'declined'}", {}),
        ]
        if self.already:
            told.append(("incident.partner_joins.already", {"already": self.already}))
        if self.bars:
            told.append((f"incident.partner_joins.{self.bars}", {"player": self.player}))
        return told


class PartnerActs(Incident, frozen=True, tag="partner_acts"):
    """The banker's partner does or asks something; in the coup just dealt the bank won or lost `amount`."""

    partner: Place
    act: Act
    result: Literal["won", "lost"]
    amount: Sum

    def check(self, situation: Situation) -> None:
        check_at_table(situation, partner=self.partner)
        if self.partner == situation.banker:
            raise ImpossibleFacts("incident.partner", "the banker is not his own partner")
        if self.amount % 2:
            raise ImpossibleFacts("incident.amount", "equal shares of whole chips need an even sum")

    def partner_fact(self) -> str:
        return "partner"

    def act_asked(self) -> str:
        return f"partner_{self.act}"

    def narration(self) -> list[Sentence]:
        return [
            (f"incident.partner_acts.{self.result}", {"partner": self.partner, "amount": self.amount}),
            (f"incident.partner_acts.{self.act}", {"partner": self.partner}),
        ]


class RaisesBank(Incident, frozen=True, tag="raises_bank"):
    """The banker wishes to add to the bank. `consent` is his partner's, if he has one."""

    adds: Sum
    partner: Place | None = None
    consent: bool = False

    def check(self, situation: Situation) -> None:
        check_at_table(situation, partner=self.partner)
        if self.consent and self.partner is None:
            raise ImpossibleFacts("incident.consent", "there is no partner to consent")

    def partner_fact(self) -> str:
        return "partner" if self.partner else ""

    def narration(self) -> list[Sentence]:
        told: list[Sentence] = [("incident.raises_bank.start", {"adds": self.adds})]
        if self.partner:
            consent = "consent" if self.consent else "no_consent"
            told.append((f"incident.raises_bank.{consent}", {"partner": self.partner}))
        else:
            told.append(("incident.raises_bank.alone", {}))
        return told


class BancoPartner(Incident, frozen=True, tag="banco_partner"):
    """A player who has the bancô wants to take in `partner`, after seeing some of his two cards."""

    partner: Place
    seen: Literal[0, 1, 2]

    def check(self, situation: Situation) -> None:
        check_at_table(situation, partner=self.partner)
        if situation.claim != "banco" or self.partner in (situation.holder, situation.banker):
            raise ImpossibleFacts("holder", "one player must hold the cards by bancô, and the partner be another")


@rule(PartnerJoins, *PT)
def partner_joins_pt(s: Situation, incident: PartnerJoins, r: Reasoning) -> None:
    if incident.already:
        raise NotRegulated("art. 31 does not say whether a banker may have two partners")
    reasons = {
        "bank.partner_declined": not incident.accepted,
        "bank.partner_too_late": incident.moment == "later",
        "bank.partner_not_equal": incident.adds != s.bank,
    }
    _decide_joining(s, r, [("31 s1", text) for text, holds in reasons.items() if holds], "31 s1", incident.adds)


@rule(PartnerJoins, SANREMO)
def partner_joins_sanremo(s: Situation, incident: PartnerJoins, r: Reasoning) -> None:
    book = r.book
    total, least = s.bank + incident.adds, s.minimum * book.number("bank_with_partner_min_x_table_min")
    reasons = [
        ("82 s1", "bank.too_few_seated", too_few_seated(s, book)),
        ("82 s2", "bank.inspector_bars", incident.bars is not None),
        ("77 s2", "bank.one_partner_only", incident.already is not None),
        ("80", "bank.partner_declined", not incident.accepted),
        ("80", "bank.partner_not_equal", incident.adds != s.bank),
        ("77 s2", "bank.joint_bank_too_small", incident.moment == "start" and total < least),
    ]
    against = [(cite, text) for cite, text, holds in reasons if holds]
    least_share = least // 2 if incident.moment == "start" else 0
    ground = "80" if incident.moment == "later" else "77 s2"
    _decide_joining(s, r, against, ground, incident.adds, least_share=least_share)


def _decide_joining(
    s: Situation, r: Reasoning, against: list[tuple[str, str]], ground: str, adds: int, *, least_share: int = 0
) -> None:
    """`least_share`: the least amount of each of two equal shares, where an opening bank has its own minimum."""
    for cite, text in against:
        r.pivot(cite, text, bank=s.bank, adds=adds, minimum=s.minimum, seated=len(s.seats))
    if not against:
        r.pivot(ground, "bank.partner_doubles", bank=s.bank, total=s.bank * 2)
    r.choice("allowed", "refused" if against else "allowed", critical=True)
    share = max(s.bank, least_share)
    r.amount("partner_share", share, tempting=[s.bank, adds, s.minimum, s.bank // 2, s.bank * 2])


@rule(PartnerActs, *PT)
def partner_acts_pt(s: Situation, incident: PartnerActs, r: Reasoning) -> None:
    _partner_acts(incident, r, "31 s2")


@rule(PartnerActs, SANREMO)
def partner_acts_sanremo(s: Situation, incident: PartnerActs, r: Reasoning) -> None:
    tell_kept_partner(s, r)
    if incident.act == "puts_stake":
        half = incident.amount // 2
        r.pivot("83 s1", "bank.partner_may_stake", partner=incident.partner)
        r.step("78", f"bank.partner_{incident.result}", amount=incident.amount, half=half)
        r.choice("allowed", "allowed")
        r.amount("partner_result", half, tempting=[incident.amount, 0])
        return
    _partner_acts(incident, r, "78")


def _partner_acts(incident: PartnerActs, r: Reasoning, cite: str) -> None:
    half = incident.amount // 2
    at_end = incident.act == "share_at_end"
    keeps_out = "partner_plays_no_part" if r.book.coded_as in PT else "partner_keeps_out"
    r.pivot(cite, f"bank.{'partner_at_end' if at_end else keeps_out}", partner=incident.partner)
    r.pivot(cite, f"bank.partner_{incident.result}", amount=incident.amount, half=half)
    r.choice("allowed", "allowed" if at_end else "refused")
    r.amount("partner_result", half, tempting=[incident.amount, 0])


@rule(RaisesBank, SANREMO)
def raises_bank_sanremo(s: Situation, incident: RaisesBank, r: Reasoning) -> None:
    tell_kept_partner(s, r)
    if incident.partner is None:
        r.pivot("56 s1", "bank.sole_banker_raises")
    else:
        sentence = "bank.partner_consents" if incident.consent else "bank.partner_objects"
        r.pivot("79", sentence, partner=incident.partner)
    free = incident.partner is None or incident.consent
    r.choice("allowed", "allowed" if free else "refused")
    raised = s.bank + incident.adds
    r.amount("bank_amount", raised if free else s.bank, tempting=[s.bank, raised, s.bank + incident.adds * 2])


@rule(BancoPartner, SANREMO)
def banco_partner_sanremo(s: Situation, incident: BancoPartner, r: Reasoning) -> None:
    """We read 82 (SR82) so that fewer than six seated players rule out his partner too, not only the banker's."""
    few = too_few_seated(s, r.book)
    if few:
        r.pivot("82 s3", "bank.too_few_seated", seated=len(s.seats))
    if incident.seen or not few:
        text = "bank.banco_partner_too_late" if incident.seen else "bank.banco_partner_in_time"
        r.pivot("81", text, seen=incident.seen)
    r.choice("allowed", "refused" if few or incident.seen else "allowed")


def _table(draw: Draw, book: Rulebook, difficulty: int, *, seated: int | None = None) -> dict[str, Any]:
    """An ordinary table; in Sanremo with enough seated players for partners, unless a number is given."""
    low, high = SEATED[difficulty]
    least = least_seated(book)
    count = seated or draw.number(max(low, least), max(high, least))
    seats = tuple(sorted(draw.sample(range(1, SEATS + 1), count)))
    banker = draw.pick(seats)
    behind = [seat for seat in seats if seat not in (banker, SEATS)]
    standing = (f"{draw.pick(behind)}a",) if difficulty >= 2 else ()
    return {"seats": seats, "standing": standing, "banker": str(banker)} | money(draw, book)


def _joins(draw: Draw, facts: dict[str, Any], **incident: Any) -> Situation:
    player, already = draw.sample(pontos(facts), 2)
    if incident.pop("second", False):
        incident["already"] = already
    return Situation(**facts, incident=PartnerJoins(**{"player": player, "adds": facts["bank"]} | incident))


@case("partners", {PT[0]: "31 s1", SANREMO: "77 s2"})
def partner_at_the_start(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return _joins(draw, _table(draw, book, difficulty))


@case("partners", {PT[0]: "31 s1", SANREMO: "80"})
def partner_offers_too_little(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Easy: half the bank. Harder: a little less or more than the bank."""
    facts = _table(draw, book, difficulty)
    near = facts["bank"] + draw.pick((-1, 1)) * facts["unit"]
    return _joins(draw, facts, adds=facts["bank"] // 2 if difficulty < 3 else near)


@case("partners", {PT[0]: "31 s1", SANREMO: "80"})
def partner_later_in_the_hand(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return _joins(draw, _table(draw, book, difficulty), moment="later")


@case("partners", {PT[0]: "31 s1", SANREMO: "80"})
def partner_not_wanted(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return _joins(draw, _table(draw, book, difficulty), accepted=False)


@case("partners", {SANREMO: "77 s2"})
def second_partner(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return _joins(draw, _table(draw, book, difficulty), second=True, moment=draw.pick(("start", "later")))


@case("partners", {SANREMO: "77 s2"})
def joint_bank_at_the_minimum(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """The banker's own bank is the minimum or little more: no banker has less to double."""
    facts = _table(draw, book, difficulty)
    facts["bank"] = facts["minimum"] + draw.pick((0, facts["unit"]))
    return _joins(draw, facts)


@case("partners", {SANREMO: "82 s1"})
def partner_at_a_small_table(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Harder: one player short."""
    return _joins(draw, _table(draw, book, difficulty, seated=too_few(draw, book, difficulty)))


@case("partners", {SANREMO: "82 s2"})
def inspector_bars_partner(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return _joins(draw, _table(draw, book, difficulty), bars=draw.pick(("thin_play", "several_hands")))


@case("partners", {PT[0]: "31 s2", SANREMO: "78"})
def partner_interferes(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts = _table(draw, book, difficulty)
    # Only Sanremo says that a partner may not withdraw.
    acts: tuple[Act, ...] = (
        "advise",
        "contest",
        "share_at_end",
        *(() if book.coded_as == SANREMO else ("share_at_end", "share_at_end")),
        "withdraw" if book.coded_as == SANREMO else "draw",
        "puts_stake",
    )
    incident = PartnerActs(
        partner=draw.pick(pontos(facts)),
        act=draw.pick(acts),
        result=draw.pick(("won", "lost")),
        amount=facts["unit"] * 2 * draw.number(1, facts["bank"] // facts["unit"] // 2),
    )
    return Situation(**facts, incident=incident)


@case("partners", {SANREMO: "79"})
def raise_with_a_partner(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts = _table(draw, book, difficulty)
    adds = facts["minimum"] * draw.number(1, 4)
    incident = RaisesBank(adds=adds, partner=draw.pick(pontos(facts)), consent=draw.chance(0.5))
    return Situation(**facts, incident=incident)


@case("partners", {SANREMO: "81"})
def banco_player_wants_a_partner(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts = _table(draw, book, difficulty)
    holder, partner = draw.sample(pontos(facts), 2)
    seen: Literal[0, 1, 2] = draw.pick((0, 1, 2) if difficulty >= 2 else (0, 2))
    # He has put the whole bank down before he wants to share it.
    facts["stakes"] = (Stake(holder, facts["bank"]),)
    return Situation(**facts, holder=holder, claim="banco", incident=BancoPartner(partner=partner, seen=seen))
