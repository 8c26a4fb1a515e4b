"""Standing players: where they may stand, whether they may follow the hand, and what their stakes are worth.

Portugal 24, 25, 93; Sanremo 114 (s1, s2, s3).
"""

from typing import Any, Literal

from rules_engine.authoring import ImpossibleFacts, NotRegulated, Reasoning, Rulebook, Sentence, variant
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.chemin_de_fer.books import PT, SANREMO
from rules_engine.games.chemin_de_fer.game import case, case_table, domain, rule
from rules_engine.games.chemin_de_fer.order import seat_of
from rules_engine.games.chemin_de_fer.setting import money, places, pontos
from rules_engine.games.chemin_de_fer.table import SEATS, Incident, Place, Seat, Situation, Stake

domain("stake_settled", "first", "in_turn", "last")
domain("counts_as", "seated", "standing")
domain("stake_rank", "equal", "after_seated")

Spot = Literal["right", "left", "ahead", "croupier_right", "croupier_left"]


class StandingArrives(Incident, frozen=True, tag="standing_arrives"):
    """Somebody comes to play standing: behind `seat`, to its right or left or ahead of those who stand there already,
    or beside the croupier."""

    spot: Spot
    seat: Seat | None = None

    def check(self, situation: Situation) -> None:
        beside_croupier = self.spot.startswith("croupier")
        if beside_croupier == (self.seat is not None):
            raise ImpossibleFacts("incident.seat", "he stands behind a seat or beside the croupier, one of the two")
        if self.seat is not None and self.seat not in situation.seats:
            raise ImpossibleFacts("incident.seat", "nobody sits at {place}", place=self.seat)
        if self.spot == "ahead" and not any(seat_of(place) == self.seat for place in situation.standing):
            raise ImpossibleFacts("incident.spot", "nobody stands behind seat {seat}", seat=self.seat)

    def narration(self) -> list[Sentence]:
        return [(f"incident.standing_arrives.{self.spot}", {"seat": self.seat} if self.seat else {})]


class StandingFollows(Incident, frozen=True, kw_only=True, tag="standing_follows"):
    """A standing player wants to stand behind seat `to`, because he follows the hand as it moves on, or for company
    while the hand stays. There he goes behind those who came before him, or `ahead` of them."""

    player: Place
    to: Seat
    why: Literal["hand", "company"] = "hand"
    ahead: bool = False

    def check(self, situation: Situation) -> None:
        if self.player not in situation.standing:
            raise ImpossibleFacts("incident.player", "nobody stands at {place}", place=self.player)
        if self.to == seat_of(self.player):
            raise ImpossibleFacts("incident.to", "he stands there already")

    def narration(self) -> list[Sentence]:
        told: list[Sentence] = [(f"incident.standing_follows.{self.why}", {"player": self.player, "to": self.to})]
        return [*told, ("incident.standing_follows.ahead", {})] if self.ahead else told


class StandingSettled(Incident, frozen=True, tag="standing_settled"):
    """A coup is to be settled, and among the stakes is that of a standing player, who may have followed the hand."""

    player: Place
    banker_won: bool
    followed: bool = False

    def check(self, situation: Situation) -> None:
        if self.player not in situation.standing:
            raise ImpossibleFacts("incident.player", "nobody stands at {place}", place=self.player)
        if self.player not in (stake.player for stake in situation.stakes):
            raise ImpossibleFacts("incident.player", "{player:player} has no stake", player=self.player)

    def wording(self, name: str) -> str | None:
        won = "banker" if self.banker_won else "ponto"
        return f"question.stake_settled_{won}" if name == "stake_settled" else super().wording(name)

    def narration(self) -> list[Sentence]:
        return [
            (f"incident.standing_settled.{'won' if self.banker_won else 'lost'}", {"player": self.player}),
            (f"incident.standing_settled.{'followed' if self.followed else 'stayed'}", {"player": self.player}),
        ]


class PlayerCounted(Incident, frozen=True, tag="player_counted"):
    """Does a player count as seated or standing? He may have got up from his seat to play standing at this table."""

    player: Place
    got_up: bool = False

    def check(self, situation: Situation) -> None:
        if self.player not in {*map(str, situation.seats), *situation.standing}:
            raise ImpossibleFacts("incident.player", "nobody is at {place}", place=self.player)
        if self.got_up and not self.player.isdigit():
            raise ImpossibleFacts("incident.got_up", "he has no seat to get up from")

    def narration(self) -> list[Sentence]:
        how = "got_up" if self.got_up else "as_placed"
        return [(f"incident.player_counted.{how}", {"player": self.player})]


@rule(StandingArrives, *PT)
def standing_arrives_pt(s: Situation, incident: StandingArrives, r: Reasoning) -> None:
    if incident.spot.startswith("croupier"):
        r.pivot("25", "seating.not_beside_croupier")
    else:
        text = {"right": "behind_and_right", "left": "not_at_left", "ahead": "by_arrival"}[incident.spot]
        r.pivot("24", f"seating.{text}")
    allowed = incident.spot == "right" and not _beside_croupier(r, incident.seat)
    r.choice("allowed", "allowed" if allowed else "refused")


def _beside_croupier(r: Reasoning, seat: int | None) -> bool:
    """Whether somebody at the right of this seat stands beside the croupier: behind the last one, by our reading."""
    if seat != SEATS:
        return False
    behind = r.book.reads("PT25", "behind_nine")
    r.pivot("25 open", "seating.behind_nine_too" if behind else "seating.right_of_nine", seat=SEATS)
    return not behind


@rule(StandingFollows, *PT)
def standing_follows_pt(s: Situation, incident: StandingFollows, r: Reasoning) -> None:
    follows = incident.why == "hand"
    r.pivot("93", "seating.may_not_follow" if follows else "seating.does_not_follow")
    if incident.ahead:
        r.pivot("24", "seating.by_arrival")
    elif not follows:
        r.pivot("24", "seating.behind_and_right")
    refused = follows or incident.ahead or _beside_croupier(r, incident.to)
    r.choice("allowed", "refused" if refused else "allowed")


@rule(StandingFollows, SANREMO)
def standing_follows_sanremo(s: Situation, incident: StandingFollows, r: Reasoning) -> None:
    follows = incident.why == "hand"
    if incident.ahead:
        raise NotRegulated("art. 114: the text does not rank those who stand behind the same seat by their arrival")
    r.pivot("114 s2", "seating.follower_settled_badly" if follows else "seating.does_not_follow")
    r.choice("allowed", "refused" if follows else "allowed")


@rule(StandingSettled, SANREMO)
def standing_settled_sanremo(s: Situation, incident: StandingSettled, r: Reasoning) -> None:
    """The créneau lies to the right of the seat that has the hand in its own turn."""
    if not s.banker.isdigit():
        raise NotRegulated("art. 114: the text counts from the seat that holds the hand")
    r.step("114 s1", "seating.standing_stakes_equal", pivot=not incident.followed)
    if incident.followed:
        settled = "first" if incident.banker_won else "last"
        r.pivot("114 s2", f"seating.follower_{settled}")
    elif seat_of(incident.player) == seat_of(s.banker):
        settled = "last"
        r.pivot("114 s1", "seating.creneau_last")
    else:
        settled = "in_turn"
    r.choice("stake_settled", settled)


@rule(PlayerCounted, SANREMO)
def player_counted_sanremo(s: Situation, incident: PlayerCounted, r: Reasoning) -> None:
    seated = incident.player.isdigit()
    r.step("114 s1", "seating.who_has_a_seat" if seated else "seating.who_has_no_seat", pivot=not incident.got_up)
    if incident.got_up:
        r.pivot("114 s3", "seating.plays_standing")
    r.choice("counts_as", "seated" if seated and not incident.got_up else "standing")
    r.choice("stake_rank", "equal")


@case("standing_players", {PT[0]: "24"})
def standing_behind_a_seat(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Not behind the banker, whose standing neighbour the text does not rank, nor behind 9, beside the croupier."""
    facts = places(draw, difficulty, standing=draw.number(1, 1 + difficulty)) | money(draw, book)
    taken = [place for place in facts["standing"] if seat_of(place) != SEATS]
    spots: list[Spot] = ["right", "right", "right", "left"]
    if taken and draw.chance(0.25):
        incident = StandingArrives(spot="ahead", seat=seat_of(draw.pick(taken)))
    else:
        seats = [seat for seat in facts["seats"] if str(seat) != facts["banker"] and seat != SEATS]
        incident = StandingArrives(spot=draw.pick(spots), seat=draw.pick(seats))
    return Situation(**facts, incident=incident)


@case("standing_players", {PT[0]: "25"})
def standing_beside_the_croupier(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts = places(draw, difficulty) | money(draw, book)
    spot: Spot = draw.pick(("croupier_right", "croupier_left"))
    return Situation(**facts, incident=StandingArrives(spot=spot))


@case("standing_players", {PT[0]: ("24", "25 open")})
def standing_behind_the_last_seat(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """At the right of seat 9, which is the croupier's left, or of the seat before it, which is not."""
    facts = places(draw, difficulty) | money(draw, book)
    seats = tuple(sorted({*facts["seats"], SEATS - 1, SEATS}))
    facts |= {"seats": seats, "banker": str(draw.pick([seat for seat in seats if seat < SEATS - 1]))}
    return Situation(**facts, incident=StandingArrives(spot="right", seat=draw.pick((SEATS, SEATS, SEATS - 1))))


@case("standing_players", {PT[0]: "93", SANREMO: "114 s2"})
def standing_player_follows(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts = places(draw, difficulty, standing=draw.number(1, 1 + difficulty)) | money(draw, book)
    player = draw.pick(facts["standing"])
    return Situation(**facts, incident=StandingFollows(player=player, to=_elsewhere(draw, facts, player)))


def _elsewhere(draw: Draw, facts: dict[str, Any], player: str) -> int:
    """A seat other than the one he stands behind, the banker's, or the last, which is beside the croupier."""
    barred = (seat_of(player), int(facts["banker"]), SEATS)
    seats: tuple[int, ...] = facts["seats"]
    return draw.pick([seat for seat in seats if seat not in barred])


@case("standing_players", {PT[0]: ("93", "24"), SANREMO: "114 s2"})
def standing_player_moves(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """For company, not to follow the hand; harder, in Portugal: ahead of those who stand there."""
    facts = places(draw, max(2, difficulty), standing=draw.number(2, 2 + difficulty)) | money(draw, book)
    player = draw.pick(facts["standing"])
    to = _elsewhere(draw, facts, player)
    taken = any(seat_of(place) == to for place in facts["standing"])
    ahead = book.coded_as != SANREMO and taken and draw.chance(0.5)
    return Situation(**facts, incident=StandingFollows(player=player, to=to, why="company", ahead=ahead))


@case_table(
    "standing_players",
    variant("standing_stake_settled", {SANREMO: "114 s1"}, followed=False),
    variant("followers_stake_settled", {SANREMO: "114 s2"}, followed=True),
)
def _settled(draw: Draw, book: Rulebook, difficulty: int, *, followed: bool) -> Situation:
    facts = places(draw, difficulty, standing=draw.number(1, 1 + difficulty)) | money(draw, book)
    if not followed and draw.chance(0.4):
        facts["standing"] = (*facts["standing"], f"{facts['banker']}a")
        player = facts["standing"][-1]
    else:
        player = draw.pick(facts["standing"])
    # His is one of several stakes, so there is an order in which to settle them.
    others = draw.sample([place for place in pontos(facts) if place != player], draw.number(2, 2 + difficulty // 2))
    most = facts["bank"] // facts["unit"] // (1 + len(others))
    stakes = tuple(Stake(place, facts["unit"] * draw.number(1, most)) for place in draw.shuffled([player, *others]))
    incident = StandingSettled(player=player, banker_won=draw.chance(0.5), followed=followed)
    return Situation(**facts, stakes=stakes, incident=incident)


@case("standing_players", {SANREMO: "114 s1"})
def seated_or_standing(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts = places(draw, difficulty, standing=draw.number(1, 1 + difficulty)) | money(draw, book)
    seated = [str(seat) for seat in facts["seats"] if str(seat) != facts["banker"]]
    player = draw.pick(seated) if draw.chance(0.7) else draw.pick(facts["standing"])
    return Situation(**facts, incident=PlayerCounted(player=player))


@case("standing_players", {SANREMO: "114 s3"})
def gets_up_and_plays(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts = places(draw, difficulty) | money(draw, book)
    player = draw.pick([str(seat) for seat in facts["seats"] if str(seat) != facts["banker"]])
    return Situation(**facts, incident=PlayerCounted(player=player, got_up=True))
