"""What a sitting's marks amount to under the programme's rules. Pure and exact: scores are fractions."""

from collections.abc import Iterable, Sequence
from decimal import ROUND_DOWN, Decimal
from fractions import Fraction
from typing import Literal

import msgspec
from msgspec import Struct

from exams.programmes.rules import Line, Rules, game_of

PLACES = Decimal("0.0001")


class OtherBlueprint(Exception):
    """The marks belong to items that these rules have no place for: they were given under another blueprint."""


class Marked(Struct, frozen=True, kw_only=True):
    """The part of an item's mark that the decision needs."""

    section: str
    line: int
    points: int
    of: int
    critical_missed: bool
    voided: bool
    # Every critical decision that was missed was left blank.
    critical_blank: bool = False


class Score(Struct, frozen=True):
    """Points out of those that count, as a fraction so that no rounding loses any."""

    numerator: int
    denominator: int
    of: int

    @property
    def got(self) -> Fraction:
        return Fraction(self.numerator, self.denominator)

    @property
    def exact(self) -> Fraction:
        """Percent, 0 if nothing counts."""
        return 100 * self.got / self.of if self.of else Fraction(0)

    @property
    def percent(self) -> Decimal:
        """Percent to four places, rounded down so that it never exceeds the exact score."""
        return rounded_down(self.exact)


class SectionOutcome(Struct, frozen=True, kw_only=True):
    """The outcome of a section. A section whose items were all voided is passed."""

    key: str
    score: Score
    pass_mark: int
    passed: bool


class GameOutcome(Struct, frozen=True, kw_only=True):
    """The outcome in one game of a programme that certifies several."""

    game: str
    score: Score
    pass_mark: int
    passed: bool


class Reason(Struct, frozen=True, kw_only=True):
    """Why a sitting is failed: the value reached and the limit (for critical faults: made and allowed). `section` names
    the section, or the game."""

    kind: Literal["section", "game", "overall", "critical"]
    value: str
    limit: int
    section: str = ""


class Outcome(Struct, frozen=True, kw_only=True):
    score: Score
    pass_mark: int
    sections: tuple[SectionOutcome, ...]
    critical_faults: int
    critical_allowed: int | None
    passed: bool
    reasons: tuple[Reason, ...]
    games: tuple[GameOutcome, ...] = ()


def decide(rules: Rules, marks: Iterable[Marked]) -> Outcome:
    """Passed means at least the pass mark overall, in every section and in every game, and no more critical faults than
    allowed."""
    slots, lines = rules.slots, rules.lines
    counted = [mark for mark in marks if not mark.voided]
    for mark in counted:
        if mark.line >= len(slots) or slots[mark.line].section != mark.section:
            raise OtherBlueprint(f"line {mark.line} of section {mark.section}")
    sections = tuple(
        _section(section.key, section.pass_mark, [mark for mark in counted if mark.section == section.key], lines)
        for section in rules.sections
    )
    score = _score(counted, lines)
    games = _games(rules, counted, lines)
    faults = sum(mark.critical_missed and (rules.blank_critical or not mark.critical_blank) for mark in counted)
    reasons = tuple(_reasons(rules, sections, games, score, faults))
    return Outcome(
        score=score,
        pass_mark=rules.pass_mark,
        sections=sections,
        critical_faults=faults,
        critical_allowed=rules.critical_allowed,
        passed=not reasons,
        reasons=reasons,
        games=games,
    )


def outcome_from(data: object) -> Outcome:
    """An outcome from the plain data a result stores."""
    return msgspec.convert(data, Outcome)


def rounded_down(value: Fraction) -> Decimal:
    ten_thousandths = value.numerator * 10_000 // value.denominator
    return (Decimal(ten_thousandths) * PLACES).quantize(PLACES, rounding=ROUND_DOWN)


def _score(marks: Sequence[Marked], lines: list[Line]) -> Score:
    """Items with nothing to get (`of` is 0) count neither as points nor as possible points."""
    worth = [(mark, lines[mark.line].points) for mark in marks if mark.of]
    got = sum((Fraction(points * mark.points, mark.of) for mark, points in worth), Fraction(0))
    return Score(got.numerator, got.denominator, sum(points for _mark, points in worth))


def _section(key: str, pass_mark: int, marks: Sequence[Marked], lines: list[Line]) -> SectionOutcome:
    score = _score(marks, lines)
    passed = not score.of or score.exact >= pass_mark
    return SectionOutcome(key=key, score=score, pass_mark=pass_mark, passed=passed)


def _games(rules: Rules, marks: Sequence[Marked], lines: list[Line]) -> tuple[GameOutcome, ...]:
    """The games in the order of the blueprint; empty without a minimum for each, or with only one."""
    games = rules.games
    if not rules.game_mark or len(games) < 2:
        return ()
    found = []
    for game in games:
        score = _score([mark for mark in marks if game_of(lines[mark.line]) == game], lines)
        passed = not score.of or score.exact >= rules.game_mark
        found.append(GameOutcome(game=game, score=score, pass_mark=rules.game_mark, passed=passed))
    return tuple(found)


def _reasons(
    rules: Rules, sections: Sequence[SectionOutcome], games: Sequence[GameOutcome], score: Score, faults: int
) -> Iterable[Reason]:
    for section in sections:
        if not section.passed:
            value = str(section.score.percent)
            yield Reason(kind="section", section=section.key, value=value, limit=section.pass_mark)
    for one in games:
        if not one.passed:
            yield Reason(kind="game", section=one.game, value=str(one.score.percent), limit=one.pass_mark)
    if score.exact < rules.pass_mark:
        yield Reason(kind="overall", value=str(score.percent), limit=rules.pass_mark)
    if rules.critical_allowed is not None and faults > rules.critical_allowed:
        yield Reason(kind="critical", value=str(faults), limit=rules.critical_allowed)
