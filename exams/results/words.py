"""Results in plain words, in the reader's language."""

from dataclasses import dataclass
from decimal import ROUND_DOWN, Decimal

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from exams.programmes.practical_words import PRACTICAL_PARTS
from exams.programmes.rules import Rules
from exams.results.decision import Outcome, Reason, SectionOutcome, outcome_from
from exams.results.models import Result
from rules_engine import GAMES

SHOWN = Decimal("0.01")


@dataclass(frozen=True)
class SectionSummary:
    name: str
    percent: str  # "" if nothing counts
    needed: int
    passed: bool


@dataclass(frozen=True)
class ResultSummary:
    """A result in words. `passed` is the decision, `rule_passed` and `reasons` are what the programme's rule says."""

    result: Result
    passed: bool
    rule_passed: bool
    percent: str
    needed: int
    overall_enough: bool
    sections: list[SectionSummary]
    reasons: list[str]


def percent(value: Decimal) -> str:
    """Rounded down: 69.9999 must never read as 70."""
    shown = value.quantize(SHOWN, rounding=ROUND_DOWN).normalize()
    return number_format(shown.quantize(Decimal(1)) if shown == shown.to_integral() else shown)


def summarise(result: Result, language: str) -> ResultSummary:
    outcome, rules = outcome_from(result.outcome), result.programme_version.rules
    return ResultSummary(
        result=result,
        passed=result.passed,
        rule_passed=outcome.passed,
        percent=percent(result.score),
        needed=outcome.pass_mark,
        overall_enough=outcome.score.exact >= outcome.pass_mark,
        sections=[*section_summaries(outcome, rules, language), *game_summaries(outcome, language)],
        reasons=reasons_in_words(outcome, rules, language),
    )


def section_summaries(outcome: Outcome, rules: Rules, language: str) -> list[SectionSummary]:
    return [_section(section, rules, language) for section in outcome.sections]


def game_summaries(outcome: Outcome, language: str) -> list[SectionSummary]:
    return [
        SectionSummary(
            _game(one.game, language), percent(one.score.percent) if one.score.of else "", one.pass_mark, one.passed
        )
        for one in outcome.games
    ]


def _game(game: str, language: str) -> str:
    return GAMES[game].name(language) if game in GAMES else game


def reasons_in_words(outcome: Outcome, rules: Rules, language: str) -> list[str]:
    return [_reason(reason, rules, language) for reason in outcome.reasons]


def _section(section: SectionOutcome, rules: Rules, language: str) -> SectionSummary:
    shown = percent(section.score.percent) if section.score.of else ""
    name = PRACTICAL_PARTS.get(section.key) or rules.section_name(section.key, language)
    return SectionSummary(str(name), shown, section.pass_mark, section.passed)


def _reason(reason: Reason, rules: Rules, language: str) -> str:
    if reason.kind == "critical" and reason.section:
        made = int(reason.value)
        text = ngettext(
            "%(made)d critical fault at the table not noticed; %(allowed)d allowed.",
            "%(made)d critical faults at the table not noticed; %(allowed)d allowed.",
            made,
        )
        return text % {"made": made, "allowed": reason.limit}
    if reason.kind == "critical":
        made = int(reason.value)
        text = ngettext(
            "%(made)d question with a critical fault; %(allowed)d allowed.",
            "%(made)d questions with a critical fault; %(allowed)d allowed.",
            made,
        )
        return text % {"made": made, "allowed": reason.limit}
    values = {"reached": percent(Decimal(reason.value)), "needed": reason.limit}
    if reason.kind in ("section", "game"):
        name = rules.section_name if reason.kind == "section" else _game
        values["section"] = name(reason.section, language)
        return _("%(section)s: %(reached)s%% scored, %(needed)s%% needed.") % values
    return _("Overall: %(reached)s%% scored, %(needed)s%% needed.") % values
