"""What the ids in audit entries refer to, found for many entries with a few queries.

The log is below the packages whose acts it records, so it knows their tables by label only.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.apps import apps
from django.db.models import Q

from exams.audit.models import Entry
from training.people.models import User
from training.people.request import language, quoted


@dataclass(frozen=True)
class Thing:
    """What a subject refers to: its person, session or programme, and its number."""

    person: int | None = None
    session: Any = None
    programme: Any = None
    number: str = ""


# By kind of subject: the table, and the lookups for person, session, programme and number.
TABLES: dict[str, tuple[str, tuple[str, str, str, str]]] = {
    "session": ("records.Session", ("", "pk", "", "")),
    "candidate": ("records.Candidate", ("person_id", "session_id", "", "")),
    "sitting": ("records.Sitting", ("candidate__person_id", "candidate__session_id", "", "")),
    "result": ("results.Result", ("sitting__candidate__person_id", "sitting__candidate__session_id", "", "")),
    "appeal": ("appeals.Appeal", ("appellant_id", "form_item__form__candidate__session_id", "", "number")),
    "certificate": ("certificates.Certificate", ("holder_id", "", "", "number")),
    "regrade": ("regrading.Regrade", ("", "", "programme_id", "")),
    "programme": ("programmes.Programme", ("", "", "pk", "")),
}
OF_PEOPLE = {kind: ways[0] for kind, (_label, ways) in TABLES.items() if ways[0]}
# Acts whose details name the people they are about, one or several.
NAMING_ONE = (
    "session.extra_time",
    "session.invigilator_added",
    "session.invigilator_removed",
    "examiner.appointed",
    "examiner.dismissed",
)
# Acts that the person concerned may not see at once.
NOT_AT_ONCE = ("sitting.graded", "result.decided", "result.regraded", "annulment.asked", "ruling.asked_seen")
NAMING_MANY = ("session.candidate_entered", "session.candidate_removed")


def table(label: str) -> Any:
    return apps.get_model(label)._default_manager


@dataclass
class Facts:
    """Everything the sentences about some entries need. Deleted things have no name here."""

    things: dict[str, Thing] = field(default_factory=dict)
    people: dict[int, str] = field(default_factory=dict)
    sessions: dict[Any, str] = field(default_factory=dict)
    programmes: dict[Any, str] = field(default_factory=dict)
    versions: dict[Any, str] = field(default_factory=dict)
    sitters: dict[str, int] = field(default_factory=dict)
    reasons: dict[int, str] = field(default_factory=dict)
    scopes: dict[int, list[str]] = field(default_factory=dict)  # a certificate's scope before an act
    earlier: dict[int, dict[str, Any]] = field(default_factory=dict)  # a session's values before a change
    unreleased: set[int] = field(default_factory=set)  # entries about unreleased results


def facts_of(entries: Iterable[Entry]) -> Facts:
    entries = list(entries)
    facts = Facts()
    _find_things(entries, facts)
    _find_sitters(entries, facts)
    _find_names(entries, facts)
    for find in (
        *(_act_reasons, _event_reasons, _closure_reasons, _correction_reasons, _issue_reasons),
        _decision_reasons,
    ):
        find(entries, facts)
    _find_earlier(entries, facts)
    _find_unreleased(entries, facts)
    return facts


def kind_of(entry: Entry) -> tuple[str, str]:
    kind, _colon, key = entry.subject.partition(":")
    return kind, key


def _key(kind: str, key: str) -> Any:
    """The key in its table's type; None if it is invalid."""
    try:
        return int(key) if kind == "person" else UUID(key)
    except ValueError:
        return None


# ---- things and names


def _find_things(entries: list[Entry], facts: Facts) -> None:
    wanted: dict[str, set[Any]] = {}
    for entry in entries:
        kind, text = kind_of(entry)
        key = _key(kind, text) if kind == "person" or kind in TABLES else None
        if key is not None:
            wanted.setdefault(kind, set()).add(key)
    facts.things |= {f"person:{key}": Thing(person=key) for key in wanted.pop("person", ())}
    for kind, keys in wanted.items():
        label, ways = TABLES[kind]
        for pk, *found in _rows(label, keys, ways):
            person, session, programme, number = found
            facts.things[f"{kind}:{pk}"] = Thing(person, session, programme, str(number or ""))


def _rows(label: str, keys: set[Any], ways: tuple[str, ...]) -> Iterable[tuple[Any, ...]]:
    known = [way for way in ways if way]
    for pk, *values in table(label).filter(pk__in=keys).values_list("pk", *known):
        by_way = dict(zip(known, values, strict=True))
        yield (pk, *(by_way.get(way) for way in ways))


def _find_sitters(entries: list[Entry], facts: Facts) -> None:
    """Finds whose sittings got more time together."""
    longer = [entry for entry in entries if entry.act == "sitting.time_added"]
    keys = {_key("sitting", str(each)) for entry in longer for each in _list(entry)}
    if keys := keys - {None}:
        found = table("records.Sitting").filter(pk__in=keys).values_list("pk", "candidate__person_id")
        facts.sitters = {str(pk): person for pk, person in found}


def _list(entry: Entry) -> list[Any]:
    given = entry.details.get("sittings")
    return given if isinstance(given, list) else []


def _find_names(entries: list[Entry], facts: Facts) -> None:
    people = {thing.person for thing in facts.things.values()} | set(facts.sitters.values())
    sessions = {thing.session for thing in facts.things.values()}
    programmes = {thing.programme for thing in facts.things.values()}
    versions: set[Any] = set()
    for entry in entries:
        people |= {entry.details.get(name) for name in ("person", "author", "asked_by")}
        people |= set(entry.details.get("people") or ())
        versions.add(entry.details.get("programme_version"))
    facts.people = dict(User.objects.filter(pk__in=_numbers(people)).values_list("pk", "name"))
    if sessions := sessions - {None}:
        facts.sessions = dict(table("records.Session").filter(pk__in=sessions).values_list("pk", "title"))
    _find_programmes(programmes - {None}, set(_numbers(versions)), facts)


def _numbers(values: Iterable[Any]) -> list[int]:
    return [value for value in values if isinstance(value, int)]


def _find_programmes(programmes: set[Any], versions: set[int], facts: Facts) -> None:
    if not programmes and not versions:
        return
    found = table("programmes.ProgrammeVersion").filter(Q(programme__in=programmes) | Q(pk__in=versions))
    rows = found.order_by("number").values_list("pk", "number", "names", "programme_id", "programme__code")
    for pk, number, names, programme, code in rows:
        name = names.get(language()) or next(filter(None, names.values()), code)
        facts.programmes[programme] = quoted(name)  # the last version's
        facts.versions[pk] = f"{quoted(name)}, {number}"


# ---- reasons: stored in the rows of the acts, not in the log


def _act_reasons(entries: list[Entry], facts: Facts) -> None:
    """For acts on certificates: the reason and the scope before."""
    asked = {
        (_key(*kind_of(entry)), entry.details.get("step")): entry.number
        for entry in entries
        if entry.subject.startswith("certificate:")
    }
    if not asked:
        return
    found = table("certificates.Act").filter(certificate__in=[key for key, _step in asked if key])
    for certificate, step, reason, scope in found.values_list("certificate_id", "number", "reason", "scope_before"):
        if number := asked.get((certificate, step)):
            facts.reasons[number], facts.scopes[number] = reason, scope


def _event_reasons(entries: list[Entry], facts: Facts) -> None:
    """For incidents, and exams closed by the invigilator."""
    notes = {entry.details.get("event"): entry.number for entry in entries if entry.act == "sitting.noted"}
    closed = {
        _key(*kind_of(entry)): entry.number
        for entry in entries
        if entry.act == "sitting.closed" and entry.details.get("by") == "invigilator"
    }
    if not notes and not closed:
        return
    wanted = Q(pk__in=_numbers(notes)) | Q(sitting__in=[key for key in closed if key], kind="closed")
    for pk, sitting, kind, text in table("records.Event").filter(wanted).values_list("pk", "sitting", "kind", "text"):
        if number := notes.get(pk) if kind == "note" else closed.get(sitting):
            facts.reasons[number] = text


def _closure_reasons(entries: list[Entry], facts: Facts) -> None:
    acts = {"person.closed": ("closed_at", "reason"), "person.returned": ("returned_at", "return_reason")}
    asked = [entry for entry in entries if entry.act in acts]
    if asked:
        found = list(table("accounts.Closure").filter(person__in=[_key(*kind_of(entry)) for entry in asked]))
    for entry in asked:
        when, why = acts[entry.act]
        person, cause = _key(*kind_of(entry)), entry.details.get("why")
        theirs = [row for row in found if (row.person_id, row.why) == (person, cause)]
        _last_before(entry, theirs, when, lambda row, why=why: getattr(row, why), facts)  # type: ignore[misc]


def _correction_reasons(entries: list[Entry], facts: Facts) -> None:
    """For name changes: why they were requested."""
    asked = [entry for entry in entries if entry.act.startswith("name.")]
    if asked:
        found = list(table("records.NameCorrection").filter(holder__in=[_key(*kind_of(entry)) for entry in asked]))
    for entry in asked:
        theirs = [row for row in found if row.holder_id == _key(*kind_of(entry))]
        _last_before(entry, theirs, "asked_at", lambda row: row.reason, facts)


def _issue_reasons(entries: list[Entry], facts: Facts) -> None:
    """For certificates without a confirmed identity: why they were requested."""
    asked = [(entry.number, entry.details.get("request")) for entry in entries if entry.act.startswith("issue.")]
    if asked:
        found = table("certificates.IssueRequest").filter(pk__in=_numbers(key for _number, key in asked))
        reasons = dict(found.values_list("pk", "reason"))
        facts.reasons |= {number: reasons[key] for number, key in asked if key in reasons}


def _last_before(entry: Entry, rows: list[Any], when: str, why: Callable[[Any], str], facts: Facts) -> None:
    """Uses the reason of the last row written by the time of the entry, because the act writes both."""
    written = [row for row in rows if getattr(row, when) and getattr(row, when) <= entry.at]
    if written:
        facts.reasons[entry.number] = why(max(written, key=lambda row: getattr(row, when)))


def _decision_reasons(entries: list[Entry], facts: Facts) -> None:
    """For decided results and appeals."""
    _from_column(entries, ("result.decided",), ("results.Result", "reason"), facts)
    _from_column(entries, ("appeal.upheld", "appeal.rejected"), ("appeals.Appeal", "reply"), facts)


def _from_column(entries: list[Entry], acts: tuple[str, ...], where: tuple[str, str], facts: Facts) -> None:
    asked = {_key(*kind_of(entry)): entry.number for entry in entries if entry.act in acts}
    if asked:
        label, column = where
        found = table(label).filter(pk__in=[key for key in asked if key])
        facts.reasons |= {asked[pk]: reason for pk, reason in found.values_list("pk", column)}


def _find_earlier(entries: list[Entry], facts: Facts) -> None:
    """A session's values before each change, from the previous entry."""
    changed = {entry.subject for entry in entries if entry.act == "session.changed"}
    if not changed:
        return
    history = Entry.objects.filter(subject__in=changed, act__in=("session.created", "session.changed"))
    last: dict[str, dict[str, Any]] = {}
    for number, subject, details in history.order_by("number").values_list("number", "subject", "details"):
        facts.earlier[number] = last.get(subject, {})
        last[subject] = details
    befores = facts.earlier.values()
    missing = {before.get("programme_version") for before in befores} - set(facts.versions)
    _find_programmes(set(), set(_numbers(missing)), facts)


def _find_unreleased(entries: list[Entry], facts: Facts) -> None:
    """Finds entries about results that are not released, or were replaced before their release."""
    asked = {_key(*kind_of(entry)): entry.number for entry in entries if entry.act == "result.regraded"}
    if asked:
        waiting = table("results.Result").filter(pk__in=[key for key in asked if key], released_at=None)
        facts.unreleased = {asked[pk] for pk in waiting.values_list("pk", flat=True)}


# ---- from people to entries


def about(people: list[int]) -> Q:
    """Entries about these people: their account, exams, results, appeals and certificates, whoever acted."""
    subjects = [f"person:{person}" for person in people]
    for kind, way in OF_PEOPLE.items():
        keys = table(TABLES[kind][0]).filter(**{f"{way}__in": people}).values_list("pk", flat=True)
        subjects += [f"{kind}:{key}" for key in keys]
    found = Q(subject__in=subjects) | Q(act__in=NAMING_ONE, details__person__in=people)
    many = Entry.objects.filter(act__in=NAMING_MANY).values_list("pk", "details")
    wanted = set(people)
    named = [pk for pk, details in many.iterator(chunk_size=2000) if not wanted.isdisjoint(details.get("people") or ())]
    return found | Q(pk__in=named)


def held_back(person: int) -> Q:
    """Entries somebody may not read about themselves: unreleased results, undecided annulment requests, and reviews of
    rulings they asked for."""
    own = {"sitting__candidate__person": person}
    released = table("results.Result").filter(**own, released_at__isnull=False)
    last = dict(released.order_by("number").values_list("sitting_id", "number"))
    waiting = [
        f"result:{pk}"
        for pk, sitting, number in table("results.Result").filter(**own).values_list("pk", "sitting_id", "number")
        if number > last.get(sitting, 0)
    ]
    sittings = table("records.Sitting").filter(candidate__person=person).values_list("pk", flat=True)
    ungraded = [f"sitting:{pk}" for pk in sittings if pk not in last]
    asked = table("results.Annulment").filter(**own, decided_at=None).values_list("sitting_id", flat=True)
    return (
        Q(act__in=("result.decided", "result.regraded"), subject__in=waiting)
        | Q(act="sitting.graded", subject__in=ungraded)
        | Q(act="annulment.asked", subject__in=[f"sitting:{pk}" for pk in asked])
        | Q(act="ruling.asked_seen", subject=f"person:{person}")
    )
