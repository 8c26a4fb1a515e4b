"""No bancô of either kind: the cards go by the stakes.

Portugal 60, 61 and 101; Sanremo 51, 52 s2, 83 s1, 112 and 115 s2 to s5.
"""

from rules_engine.authoring import NotRegulated, Reasoning, Rulebook
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.chemin_de_fer.books import PT, SANREMO
from rules_engine.games.chemin_de_fer.claims.facts import (
    ClaimsOpen,
    Right,
    asked,
    laid,
    moment,
    seated_first,
    staked,
    stakers,
    tell_line,
)
from rules_engine.games.chemin_de_fer.claims.table_talk import (
    Facts,
    callers,
    close,
    company,
    seat_pontos,
    side_stakes,
    standers,
    talk,
)
from rules_engine.games.chemin_de_fer.game import case
from rules_engine.games.chemin_de_fer.table import Call, Says, Situation, Stake


def by_stake(s: Situation, r: Reasoning, places: list[str]) -> list[str]:
    """The largest stake first; equal stakes from the banker's right."""
    return sorted(seated_first(s, places), key=lambda place: -staked(s, r.book, place))


def stake_pt(s: Situation, incident: ClaimsOpen, r: Reasoning) -> Right:
    ranked = by_stake(s, r, [place for place in stakers(s) if place.isdigit()])
    barred = (*incident.cannot_play, incident.partner)
    able = [place for place in ranked if place not in barred]
    standing = [place for place in by_stake(s, r, stakers(s)) if not place.isdigit() and place not in barred]
    if standing and not ranked:
        return _only_standing_pt(s, r, standing)
    if not able:
        raise NotRegulated(
            "art. 60: the text gives the cards to a seated ponto only, and none who may have them has staked"
        )
    holder = able[0]
    for who in ranked[: ranked.index(holder)]:
        cite, text = ("31 s2", "claims.partner_stays_out") if who == incident.partner else ("101", "claims.cannot_play")
        r.pivot(cite, text, who=who)
    _tell_largest(s, r, able, largest="60", equal="61")
    return Right(holder, "stake", tuple(able))


def _only_standing_pt(s: Situation, r: Reasoning, standing: list[str]) -> Right:
    """60 gives the cards to a seated ponto, and none has staked (Q32)."""
    by_place = r.book.reads("Q32", "by_place")
    order = seated_first(s, standing) if by_place else standing
    text = "claims.standing_by_place" if by_place else "claims.standing_largest"
    tell_line(s, r, decides=_whole_decides(s, order) and not by_place)
    r.pivot("60 open", text, who=order[0], stake=staked(s, r.book, order[0]), banker=s.banker)
    return Right(order[0], "stake", tuple(order))


def _tell_largest(s: Situation, r: Reasoning, able: list[str], *, largest: str, equal: str) -> None:
    tell_line(s, r, decides=_whole_decides(s, able))
    most = staked(s, r.book, able[0])
    ties = [place for place in able if staked(s, r.book, place) == most]
    # A single stake is not compared with any other.
    r.step(largest, "claims.largest_seated", stake=most, who=able[0], pivot=len(ties) == 1 < len(stakers(s)))
    if len(ties) > 1:
        r.pivot(equal, "claims.equal_stakes", others=tuple(ties), stake=most, who=able[0], banker=s.banker)


def _whole_decides(s: Situation, able: list[str]) -> bool:
    """Whether somebody else would have the cards if chips on the line counted whole."""
    return any(laid(s, place) >= laid(s, able[0]) for place in able[1:])


def stake_sanremo(s: Situation, incident: ClaimsOpen, r: Reasoning) -> Right:
    everybody = by_stake(s, r, stakers(s))
    if not everybody:
        raise NotRegulated("art. 51: nobody has asked for the bank and nobody has staked")
    if len(everybody) == 1:
        return Right(_sole_ponto(s, incident, r, everybody[0]), "stake", tuple(everybody))
    equal = _equal_to_table(s, r, everybody)
    if equal:
        return Right(equal, "stake", (equal,))
    barred = (*incident.cannot_play, incident.partner)
    seated = [place for place in everybody if place.isdigit()]
    standing = [place for place in everybody if not place.isdigit() and place not in barred]
    if standing and all(place in (*incident.cannot_play, *incident.by_rule) for place in seated):
        holder = standing[0]
        tell_line(s, r, decides=_whole_decides(s, standing))
        r.pivot("115 s4" if seated else "115 s3", _standing_text(seated), who=holder, stake=staked(s, r.book, holder))
        return Right(holder, "stake", tuple(standing))
    _refuse_silent_half(s, r, standing)
    able = [place for place in seated if place not in barred]
    if not able:
        raise NotRegulated(
            "arts. 51 and 112: the text does not say who has the cards when nobody who staked may have them"
        )
    for who in seated[: seated.index(able[0])]:
        if who == incident.partner:
            r.pivot("83 s1", "claims.partner_no_cards", who=who)
        else:
            r.pivot("112", "claims.cannot_play", who=who)
    _tell_largest(s, r, able, largest="51 s1", equal="51 s2")
    _tell_completer(s, r, able)
    return Right(able[0], "stake", tuple(able))


def _standing_text(seated: list[str]) -> str:
    return "claims.standing_before_beginners" if seated else "claims.standing_nobody_seated"


def _sole_ponto(s: Situation, incident: ClaimsOpen, r: Reasoning, who: str) -> str:
    if who in incident.cannot_play:
        r.pivot("112", "claims.beginner_alone", who=who)
    if who == incident.partner:
        r.pivot("83 s1", "claims.partner_alone", who=who)
    if who.isdigit():
        r.step("51 s1", "claims.largest_seated", stake=staked(s, r.book, who), who=who)
    else:
        r.pivot("115 s2", "claims.standing_sole_ponto", who=who)
    return who


def _refuse_silent_half(s: Situation, r: Reasoning, standing: list[str]) -> None:
    """Half the bank gives the right to the cards (47 s1), but a standing player must ask for it (115): silence is not
    regulated."""
    for who in standing:
        if staked(s, r.book, who) * r.book.number("banco_table_divisor") >= s.bank:
            raise NotRegulated(
                "a standing player has half the bank down and has not asked for it: arts. 47 and 115 disagree"
            )


def _equal_to_table(s: Situation, r: Reasoning, everybody: list[str]) -> str | None:
    """With an open bank, a standing player who stakes as much as all the others together gets the cards."""
    if moment(s, "tout_va", "see_stakes") == len(s.calls):
        return None
    for who in asked(s, "plays_equal"):
        mine = staked(s, r.book, who)
        others = sum(staked(s, r.book, place) for place in everybody if place != who)
        whole = sum(laid(s, place) for place in everybody if place != who)
        tell_line(s, r, decides=(mine >= others) != (laid(s, who) >= whole))
        if not who.isdigit() and mine >= others:
            r.pivot("115 s5", "claims.standing_equals_table", who=who, stake=mine, others=others)
            return who
        r.pivot("115 s5", "claims.standing_below_table", who=who, stake=mine, others=others)
    return None


def _tell_completer(s: Situation, r: Reasoning, able: list[str]) -> None:
    for who in asked(s, "completes"):
        if who == able[0] and len(able) == 1:
            r.pivot("52 s2", "claims.completer_only_seated", who=who)
        elif who == able[0]:
            r.pivot("52 s2", "claims.completer_highest", who=who)
        elif who.isdigit():
            r.pivot("52 s2", "claims.completer_lower", who=who, holder=able[0])


@case("cards_to", {PT[0]: "60", SANREMO: "51 s1"})
def largest_seated(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """The largest seated stake, by a small margin; harder: a standing player has more, or chips on the line play for
    half."""
    facts = company(draw, book, difficulty, standing=1 if difficulty >= 2 else 0)
    stakes = side_stakes(draw, facts, among=draw.sample(seat_pontos(facts), 3))
    unit = facts["unit"]
    if difficulty >= 2:
        stakes.append(Stake(draw.pick(standers(facts)), stakes[0].amount + unit))
    if difficulty >= 4:
        stakes[1] = Stake(stakes[1].player, stakes[0].amount + 2 * unit, line=True)
    return _staked(draw, facts, stakes)


@case("cards_to", {PT[0]: "61", SANREMO: "51 s2"})
def equal_largest(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Two seated players, or three, have the same largest stake; a standing player may have it too."""
    facts = company(draw, book, difficulty, standing=1 if difficulty >= 3 else 0)
    chosen = draw.sample(seat_pontos(facts), 3)
    top = _fifth(facts)
    stakes = [Stake(place, top) for place in chosen[: 2 + difficulty // 4]]
    stakes += [Stake(place, top - facts["unit"]) for place in chosen[2 + difficulty // 4 :]]
    if difficulty >= 3:
        stakes.append(Stake(draw.pick(standers(facts)), top))
    return _staked(draw, facts, stakes)


@case("cards_to", {PT[0]: "101", SANREMO: "112"})
def beginner_has_most(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """The largest stake, or the two largest, belong to seated players who cannot play; the next ones may be equal."""
    facts = company(draw, book, difficulty, seated=4)
    stakes = side_stakes(draw, facts, among=draw.sample(seat_pontos(facts), 4))
    beginners = tuple(stake.player for stake in stakes[: 1 + difficulty // 3])[:2]
    if difficulty >= 4:
        stakes[3] = Stake(stakes[3].player, stakes[2].amount)
    return _staked(draw, facts, stakes, ClaimsOpen(cannot_play=beginners))


@case("cards_to", {SANREMO: "112"})
def beginner_alone(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts = company(draw, book, difficulty)
    who = draw.pick(seat_pontos(facts) if difficulty <= 2 else callers(facts))
    return _staked(draw, facts, [Stake(who, _fifth(facts) * draw.number(1, 2))], ClaimsOpen(cannot_play=(who,)))


@case("cards_to", {SANREMO: "52 s2"})
def completes_the_bank(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """A seated player covers what is missing: he has the highest stake, or not, or is the only one seated."""
    facts = company(draw, book, difficulty, standing=2)
    completer, other = draw.sample(seat_pontos(facts), 2)
    bank = facts["bank"]
    half = bank // 2
    standing = Stake(draw.pick(standers(facts)), half - facts["unit"])
    kind = draw.pick(("highest", "lower", "only"))
    if kind == "only":
        stakes = [standing, Stake(completer, bank - standing.amount)]
        if difficulty >= 3:
            spare = bank - standing.amount - (half - 2 * facts["unit"])
            third = next(place for place in standers(facts) if place != standing.player)
            stakes = [standing, Stake(completer, half - 2 * facts["unit"]), Stake(third, spare)]
    else:
        larger, smaller = half + facts["unit"], half - facts["unit"]
        mine, theirs = (larger, smaller) if kind == "highest" else (smaller, larger)
        stakes = [Stake(other, theirs), Stake(completer, mine)]
    calls = [Call(completer, "completes"), close()]
    return talk(facts, calls, ClaimsOpen(), stakes=stakes)


@case("cards_to", {SANREMO: "83 s1"})
def partner_has_most(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """The banker's partner stakes most among several, or is the only ponto."""
    facts = company(draw, book, difficulty, partners=True)
    stakes = side_stakes(draw, facts, among=draw.sample(seat_pontos(facts), 3))
    who = stakes[0].player
    alone = draw.chance(0.5 if difficulty <= 2 else 0.2)
    return _staked(draw, facts, stakes[:1] if alone else stakes, ClaimsOpen(partner=who))


@case("cards_to", {SANREMO: "115 s1"})
def standing_asks(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """A standing player asks for the bank, or for half of it, while seated players only stake."""
    facts = company(draw, book, difficulty, standing=1)
    who = draw.pick(standers(facts))
    says: Says = draw.pick(("banco", "banco_table"))
    stakes = side_stakes(draw, facts, among=draw.sample(seat_pontos(facts), 2))
    stakes.append(Stake(who, facts["bank"] if says == "banco" else facts["bank"] // 2))
    return talk(facts, [Call(who, says), close()], ClaimsOpen(), stakes=stakes)


@case("cards_to", {SANREMO: "115 s2"})
def standing_sole_ponto(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts = company(draw, book, difficulty, standing=1)
    return _staked(draw, facts, [Stake(draw.pick(standers(facts)), _fifth(facts) * draw.number(1, 3))])


@case("cards_to", {PT[0]: "60 open", SANREMO: "115 s3"})
def nobody_seated_staked(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts = company(draw, book, difficulty, standing=2 + difficulty // 4)
    standing = draw.sample(standers(facts), 2 + difficulty // 4)
    top = _fifth(facts)
    less = top if difficulty >= 3 and draw.chance(0.4) else top - facts["unit"]
    return _staked(draw, facts, [Stake(standing[0], top), *(Stake(place, less) for place in standing[1:])])


@case("cards_to", {SANREMO: "115 s4"})
def only_beginners_seated(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Every seated stake belongs to somebody who cannot play or plays by the rule; a standing player stakes less."""
    facts = company(draw, book, difficulty, standing=1 + difficulty // 3)
    stakes = side_stakes(draw, facts, among=draw.sample(seat_pontos(facts), 1 + difficulty // 2))
    seated = [stake.player for stake in stakes]
    beginners = tuple(place for place in seated if draw.chance(0.5))
    by_rule = tuple(place for place in seated if place not in beginners)
    standing = draw.sample(standers(facts), 1 + difficulty // 3)
    less = facts["unit"] * 2
    stakes += [Stake(place, less - facts["unit"] * (index > 0)) for index, place in enumerate(standing)]
    return _staked(draw, facts, stakes, ClaimsOpen(cannot_play=beginners, by_rule=by_rule))


@case("cards_to", {SANREMO: "115 s5"})
def standing_matches_table(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """The banker takes any stake, and a standing player wants to play as much as all the others, or just less."""
    facts = company(draw, book, difficulty, standing=1)
    stakes = side_stakes(draw, facts, among=draw.sample(seat_pontos(facts), 2 + difficulty // 4))
    who = draw.pick(standers(facts))
    total = sum(stake.amount for stake in stakes)
    short = draw.chance(0.4)
    mine = Stake(who, min(total, facts["bank"] // 2) - facts["unit"] if short else total)
    calls = [Call("banker", draw.pick(("tout_va", "see_stakes"))), Call(who, "plays_equal", mine.amount), close()]
    return talk(facts, calls, ClaimsOpen(), stakes=[*stakes, mine])


def _fifth(facts: Facts) -> int:
    return int(facts["bank"] // 5 // facts["unit"] * facts["unit"])


def _staked(draw: Draw, facts: Facts, stakes: list[Stake], before: ClaimsOpen | None = None) -> Situation:
    """Nobody asked for the bank; the betting is closed on these stakes."""
    return talk(facts, [close()], before or ClaimsOpen(), stakes=draw.shuffled(stakes))
