"""Who is responsible for what lies on the table: notes among the stakes, chips mixed up, false notes.

Portugal 42 s2 (1995: 42) and 44; Sanremo 17 s3.
"""

from typing import Literal

from msgspec.structs import replace

from rules_engine.authoring import ImpossibleFacts, NotRegulated, Reasoning, Rulebook, Sentence
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.chemin_de_fer.books import PT, SANREMO
from rules_engine.games.chemin_de_fer.game import case, domain, rule
from rules_engine.games.chemin_de_fer.outcome import worth
from rules_engine.games.chemin_de_fer.setting import pontos
from rules_engine.games.chemin_de_fer.stakes.cover import check_ponto, closed, stakes, table
from rules_engine.games.chemin_de_fer.table import Incident, Place, Situation, Sum

domain("notes", "must_change", "may_stay")
domain("complaint", "upheld", "dismissed")


class NotesStaked(Incident, frozen=True, tag="notes_staked"):
    """The stakes of `players` are in notes and the coup is over. What happens to the notes?"""

    players: tuple[Place, ...]
    winner: Literal["ponto", "banker"]

    def narration(self) -> list[Sentence]:
        if len(self.players) > 1:
            return super().narration()
        return [("incident.notes_staked_one", {"winner": self.winner, "player": self.players[0]})]

    def check(self, situation: Situation) -> None:
        for place in self.players:
            if place not in {stake.player for stake in situation.stakes}:
                raise ImpossibleFacts("incident.players", "{player:player} has no stake", player=place)
        if not self.players:
            raise ImpossibleFacts("incident.players", "nobody staked notes")


@rule(NotesStaked, *PT)
def notes_staked_pt(s: Situation, incident: NotesStaked, r: Reasoning) -> None:
    change = incident.winner == "banker"
    cite = "42 s2" if r.book.coded_as == PT[0] else "42"
    r.pivot(cite, "stakes.notes_changed" if change else "stakes.notes_stay")
    _notes(s, incident, r, change=change)


@rule(NotesStaked, SANREMO)
def notes_staked_sanremo(s: Situation, incident: NotesStaked, r: Reasoning) -> None:
    r.pivot("17 s3", "stakes.notes_always_changed")
    _notes(s, incident, r, change=True)


def _notes(s: Situation, incident: NotesStaked, r: Reasoning, *, change: bool) -> None:
    r.choice("notes", "must_change" if change else "may_stay")
    in_notes = sum(stake.amount for stake in s.stakes if stake.player in incident.players)
    staked = sum(stake.amount for stake in s.stakes)
    r.amount("into_chips", in_notes if change else 0, tempting=[in_notes, staked, staked - in_notes, 0])


class StakeMixedUp(Incident, frozen=True, tag="stake_mixed_up"):
    """A ponto complains: `other` took, or his neighbour's elbow moved, chips worth `missing` off his stake."""

    player: Place
    other: Place
    missing: Sum

    def check(self, situation: Situation) -> None:
        check_ponto(situation, "player", self.player)
        check_ponto(situation, "other", self.other)
        if self.player == self.other:
            raise ImpossibleFacts("incident.other", "he complains of somebody else")


@rule(StakeMixedUp, *PT)
def stake_mixed_up(s: Situation, incident: StakeMixedUp, r: Reasoning) -> None:
    r.pivot("44", "stakes.own_risk", player=incident.player)
    r.choice("complaint", "dismissed", critical=True)
    wrong = [incident.other, "banker", "croupier", "nobody"]
    r.player("bears_loss", incident.player, tempting=wrong, critical=True)
    left = sum(worth(stake, r.book) for stake in s.stakes if stake.player == incident.player)
    chips = sum(stake.amount for stake in s.stakes if stake.player == incident.player)
    if left != chips:
        r.pivot("43 s1", "stakes.lines_play_half", won=left)
    r.amount("stake_plays", left, tempting=[left + incident.missing, incident.missing, chips, 0], critical=True)


class FalseNote(Incident, frozen=True, tag="false_note"):
    """A note of `amount` in `player`'s hands is false. `asked`: it came from another player, and he had asked for it in
    payment or in change."""

    player: Place
    amount: Sum
    asked: bool

    def check(self, situation: Situation) -> None:
        check_ponto(situation, "player", self.player)

    def narration(self) -> list[Sentence]:
        return [
            (
                f"incident.false_note_{'asked' if self.asked else 'given'}",
                {"player": self.player, "amount": self.amount},
            )
        ]


@rule(FalseNote, SANREMO)
def false_note(s: Situation, incident: FalseNote, r: Reasoning) -> None:
    if not incident.asked:
        raise NotRegulated("art. 17 speaks only of notes that the player had asked for")
    r.pivot("17 s3", "stakes.asked_for_the_note", player=incident.player)
    r.choice("complaint", "dismissed", critical=True)
    r.player("bears_loss", incident.player, tempting=["banker", "croupier", "nobody"], critical=True)


@case("stakes", {PT[0]: "42 s2", PT[1]: "42", SANREMO: "17 s3"})
def notes_after_the_coup(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts = table(draw, book, difficulty)
    down = stakes(draw, facts, difficulty, facts["bank"] // 2)
    players = sorted(stake.player for stake in draw.sample(down, max(1, len(down) // 2)))
    facts["calls"] = closed(facts)
    winner: Literal["ponto", "banker"] = draw.pick(("ponto", "banker"))
    return Situation(**facts, stakes=down, incident=NotesStaked(players=tuple(players), winner=winner))


@case("stakes", {PT[0]: "44"})
def chips_mixed_up(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts = table(draw, book, difficulty)
    down = stakes(draw, facts, max(2, difficulty), facts["bank"] // 2, lines=difficulty >= 4)
    player, other = (stake.player for stake in draw.sample(down, 2))
    if difficulty >= 4 and draw.chance(0.6):
        # The chips that are left lie on the line.
        down = tuple(replace(stake, line=True) if stake.player == player else stake for stake in down)
    facts["calls"] = closed(facts)
    missing = facts["unit"] * draw.number(1, 6)
    return Situation(**facts, stakes=down, incident=StakeMixedUp(player=player, other=other, missing=missing))


@case("stakes", {SANREMO: "17 s3"})
def note_turns_out_false(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts = table(draw, book, difficulty)
    down = stakes(draw, facts, difficulty, facts["bank"] // 2)
    amount = draw.pick((50, 100, 200, 500))
    player = draw.pick(pontos(facts))
    return Situation(**facts, stakes=down, incident=FalseNote(player=player, amount=amount, asked=True))
