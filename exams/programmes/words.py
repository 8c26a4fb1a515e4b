"""A programme's rules in words: by group for a page, and the differences between two versions."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext

from exams.programmes import law, practical_words
from exams.programmes.models import ProgrammeVersion
from exams.programmes.rules import Line, Rules, Section
from rules_engine import RULEBOOKS, Limit, Table, rulebook
from rules_engine.narration import book_name, cited, topic_name
from rules_engine.words import money
from training.library.forms import LEVELS
from training.people.request import language

NOTHING = "–"
EXAMINERS = {
    "instructors": gettext_lazy("Any instructor"),
    "appointed": gettext_lazy("Only examiners appointed for this programme"),
}
RELEASE = {
    "when_graded": gettext_lazy("Once graded, as soon as nobody is still answering the same questions"),
    "by_examiner": gettext_lazy("When an examiner releases them"),
}
DECISION = {
    "by_rule": gettext_lazy("By the rules above, at once"),
    "by_examiner": gettext_lazy("By an examiner, on the computed result"),
}
CERTIFICATE = {
    "by_rule": gettext_lazy("At once, when passed"),
    "by_hr": gettext_lazy("By human resources, after the decision"),
}
ANNULMENT = {
    "by_two": gettext_lazy("By an examiner, confirmed by a second one"),
    "by_one": gettext_lazy("By one examiner"),
}


@dataclass(frozen=True)
class RuleText:
    """One rule: its label and what applies."""

    label: str
    text: str


@dataclass(frozen=True)
class Group:
    title: str
    rules: Mapping[str, RuleText]


@dataclass(frozen=True)
class Difference:
    """One rule that differs between two versions."""

    group: str
    label: str
    before: str
    after: str


def rules_in_words(version: ProgrammeVersion) -> dict[str, Group]:
    """Everything a version says, in the reader's language and page order."""
    rules = version.rules
    sections = {
        f"section {section.key}": Group(
            _("Section “%(name)s”") % {"name": section.name(language())}, _section(section, rules)
        )
        for section in rules.sections
    }
    return {
        "scope": Group(_("What is certified"), _scope(version)),
        "exam": Group(_("The exam"), _exam(rules)),
        **sections,
        **_practical(rules),
        "entry": Group(_("Who may sit"), _entry(rules)),
        "judging": Group(_("Who examines and decides"), _judging(rules)),
        "certificate": Group(_("The certificate"), _certificate(rules)),
        "appeals": Group(_("Appeals"), _appeals(rules)),
    }


def differences(one: ProgrammeVersion, other: ProgrammeVersion) -> list[Difference]:
    """The differing rules, in the order of `other`'s page, then those it no longer has."""
    before, after = rules_in_words(one), rules_in_words(other)
    found = []
    for key in [*after, *(key for key in before if key not in after)]:
        old, new = (side[key].rules if key in side else {} for side in (before, after))
        title = (after.get(key) or before[key]).title
        for rule in [*new, *(rule for rule in old if rule not in new)]:
            was, now = old.get(rule), new.get(rule)
            if was != now:
                label = (now or was).label  # type: ignore[union-attr]
                found.append(Difference(title, label, was.text if was else NOTHING, now.text if now else NOTHING))
    return found


def _scope(version: ProgrammeVersion) -> dict[str, RuleText]:
    alike = len(set(version.names.values())) == 1
    names = (
        version.name(language())
        if alike
        else " / ".join(f"{version.names[code]} ({code})" for code in sorted(version.names))
    )
    return {
        "names": RuleText(_("Name"), names),
        "rulebooks": RuleText(_("Entitles the holder to deal"), scope(version.rules)),
        **_refresher(version.rules),
    }


def _refresher(rules: Rules) -> dict[str, RuleText]:
    if not rules.refreshes:
        return {}
    older = ", ".join(book_name(book, language()) for book in rules.refreshes)
    return {"refreshes": RuleText(_("Refresher for holders of"), older)}


def scope(rules: Rules) -> str:
    return ", ".join(book_name(book, language()) for book in rules.rulebooks)


def _exam(rules: Rules) -> dict[str, RuleText]:
    items = ngettext("%(count)d question", "%(count)d questions", rules.items) % {"count": rules.items}
    points = ngettext("%(count)d point", "%(count)d points", rules.points) % {"count": rules.points}
    minutes = ngettext("%(count)d minute", "%(count)d minutes", rules.minutes) % {"count": rules.minutes}
    share = _("At least %(percent)d%% of the points") % {"percent": rules.pass_mark}
    return {
        "minutes": RuleText(_("Time"), minutes),
        "items": RuleText(_("Length"), f"{items}, {points}"),
        "sections": RuleText(_("Sections"), ", ".join(section.name(language()) for section in rules.sections)),
        "pass_mark": RuleText(_("To pass"), share),
        **_each_game(rules),
        "critical": RuleText(_("Critical faults"), _critical(rules.critical_allowed)),
        **_blank(rules),
        "tables": RuleText(_("Tables"), _tables(rules)),
        "law": RuleText(_("Law"), "; ".join(law.cited(rules))),
    }


def _each_game(rules: Rules) -> dict[str, RuleText]:
    if len(rules.games) < 2:
        return {}
    share = _("At least %(percent)d%% of the points of each game") % {"percent": rules.game_mark}
    return {"game_mark": RuleText(_("In each game"), share if rules.game_mark else _("No minimum"))}


def _blank(rules: Rules) -> dict[str, RuleText]:
    told = _("A critical fault too") if rules.blank_critical else _("No points, but no critical fault")
    return {"blank": RuleText(_("A critical decision left blank"), told)}


def _tables(rules: Rules) -> str:
    """The tables of each rulebook with everything that their cases depend on, so that two that differ read so."""
    lines = [
        f"{book_name(book, language())}: " + "; ".join(_table(table, book) for table in own)
        for book in rules.rulebooks
        if (own := rules.tables.get(book))
    ]
    return " · ".join(lines) or _("Those that come with the rulebooks")


def _table(table: Table, book: str) -> str:
    values = {
        "name": table.name,
        "least": money(table.minimum, table.currency, language()),
        "chips": ", ".join(map(str, reversed(table.values))),
    }
    more = [ngettext("%(count)d seat", "%(count)d seats", table.seats) % {"count": table.seats}] if table.seats else []
    more += [ngettext("%(count)d pack", "%(count)d packs", table.packs) % {"count": table.packs}] if table.packs else []
    more += [_limit(limit, table, book) for limit in table.limits]
    return "; ".join([_("%(name)s (least bet %(least)s; chips %(chips)s)") % values, *more])


def _limit(limit: Limit, table: Table, book: str) -> str:
    sums = {_("least bet"): limit.minimum, _("largest bet"): limit.maximum, _("in steps of"): limit.step}
    told = [f"{name} {money(amount, table.currency, language())}" for name, amount in sums.items() if amount]
    bet = rulebook(book).text(f"limit.{limit.bet}", language()) if book in RULEBOOKS else limit.bet
    return f"{bet}: {', '.join(told)}"


def _critical(allowed: int | None) -> str:
    if allowed is None:
        return _("They cost their points and do not fail the exam by themselves")
    if not allowed:
        return _("A single question with a critical fault fails the exam")
    rules_in_words = ngettext(
        "%(count)d question with a critical fault is forgiven; one more fails the exam",
        "%(count)d questions with a critical fault are forgiven; one more fails the exam",
        allowed,
    )
    return rules_in_words % {"count": allowed}


def _practical(rules: Rules) -> dict[str, Group]:
    if rules.practical is None:
        return {}
    rows = practical_words.rows(rules.practical)
    return {"practical": Group(_("Practical exam"), {key: RuleText(*row) for key, row in rows.items()})}


def _section(section: Section, rules: Rules) -> dict[str, RuleText]:
    rows: dict[str, RuleText] = {}
    for line in section.lines:
        key = f"{line.rulebook}/{line.topic}/{line.difficulty}/{line.article}"
        # Two lines of the same kind stay two rows.
        while key in rows:
            key += "+"
        rows[key] = RuleText(kind_of_line(line, rules), _amount(line))
    share = _("At least %(percent)d%% of its points") % {"percent": section.pass_mark}
    rows["pass_mark"] = RuleText(_("To pass"), share if section.pass_mark else _("No pass mark of its own"))
    return rows


def kind_of_line(line: Line, rules: Rules) -> str:
    level = dict(LEVELS)[line.difficulty]
    topic = topic_name(line.rulebook, line.topic, language())
    # With a single rulebook its name on every line is redundant.
    book = "" if len(rules.rulebooks) == 1 else f"{book_name(line.rulebook, language())}: "
    told = _("%(topic)s (level %(level)s)") % {"topic": f"{book}{topic}", "level": level}
    return f"{told}, {only_article(line)}" if line.article else told


def only_article(line: Line) -> str:
    """The article that a line is limited to, in words; empty if it takes the whole topic."""
    if not line.article:
        return ""
    return _("only %(article)s") % {"article": cited(line.article, rulebook(line.rulebook), language())}


def _amount(line: Line) -> str:
    items = ngettext("%(count)d question", "%(count)d questions", line.items) % {"count": line.items}
    each = ngettext("%(count)d point each", "%(count)d points each", line.points) % {"count": line.points}
    return f"{items}, {each}"


def _entry(rules: Rules) -> dict[str, RuleText]:
    mastery = _("At least %(percent)d%% of the rules of each rulebook known") % {"percent": rules.mastery}
    tries = ngettext("%(count)d attempt", "%(count)d attempts", rules.tries) % {"count": rules.tries}
    return {
        "mastery": RuleText(_("Practice"), mastery if rules.mastery else _("Not required")),
        "tries": RuleText(_("Attempts"), tries),
        "wait": RuleText(
            _("Wait after a failed attempt"), _days(rules.wait_days) if rules.wait_days else pgettext("wait", "None")
        ),
    }


def _judging(rules: Rules) -> dict[str, RuleText]:
    taught = _("May examine, decide and review") if rules.taught_may_examine else _("May not decide on them")
    return {
        "examiners": RuleText(_("Examiners"), str(EXAMINERS[rules.examiners])),
        "taught": RuleText(_("Whoever taught a candidate"), taught),
        "release": RuleText(_("Results are shown"), str(RELEASE[rules.release])),
        "decision": RuleText(_("How passing is decided"), str(DECISION[rules.decision])),
        "annulment": RuleText(_("A sitting is annulled or its attempt given back"), str(ANNULMENT[rules.annulment])),
    }


def _certificate(rules: Rules) -> dict[str, RuleText]:
    months = ngettext("%(count)d month", "%(count)d months", rules.valid_months) % {"count": rules.valid_months}
    renewal = _("From %(days)s before its end") % {"days": _days(rules.renewal_days)}
    return {
        "certificate": RuleText(_("Issued"), str(CERTIFICATE[rules.certificate])),
        "valid": RuleText(_("Valid for"), months),
        "renewal": RuleText(_("Renewal"), renewal if rules.renewal_days else _("Only once it has ended")),
    }


def _appeals(rules: Rules) -> dict[str, RuleText]:
    return {
        "appeal": RuleText(_("May be lodged within"), _days(rules.appeal_days)),
        "review": RuleText(_("Are decided within"), _days(rules.review_days)),
    }


def _days(days: int) -> str:
    return ngettext("%(count)d day", "%(count)d days", days) % {"count": days}
