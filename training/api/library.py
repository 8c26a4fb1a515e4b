"""The library of scenarios for instructors: list, read, draft, review, import."""

from collections.abc import Callable
from typing import Any

import msgspec
from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from rules_engine import RULEBOOKS
from training.api.base import ApiView
from training.api.problems import Problem, invalid
from training.library import authors, drafts, import_export, moments, selectors, services
from training.library.author_texts import title, without_notes
from training.library.guarded_cases import Watches
from training.library.models import Act, Version
from training.people.access import allow
from training.people.models import Role, User
from training.people.request import language
from training.platform.errors import RowError, UnfitList


class CoAuthorOut(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    name = serializers.CharField()


class VersionRow(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    item = serializers.IntegerField(source="item_id")
    number = serializers.IntegerField()
    state = serializers.ChoiceField(choices=Version.State.choices)
    source = serializers.ChoiceField(choices=Version.Source.choices)  # type: ignore[assignment]
    reserved = serializers.BooleanField(help_text="Published for the exam bank and not for practice")
    rulebook = serializers.CharField()
    topic = serializers.CharField()
    difficulty = serializers.IntegerField()
    title = serializers.SerializerMethodField()
    author = serializers.CharField(source="author.name")
    co_authors = serializers.SerializerMethodField()
    moments = serializers.SerializerMethodField(help_text="How many moments the story has; 1 for a single scenario")
    changed_at = serializers.DateTimeField()
    published_by = serializers.CharField(source="published_by.name", allow_null=True, default=None)
    published_at = serializers.DateTimeField(allow_null=True)

    def get_title(self, version: Version) -> str:
        return title(version, language())

    @extend_schema_field(CoAuthorOut(many=True))
    def get_co_authors(self, version: Version) -> list[dict[str, Any]]:
        return [{"id": row.person_id, "name": row.person.name} for row in version.co_authorships.all()]

    def get_moments(self, version: Version) -> int:
        return moments.count(version)


class ActOut(serializers.Serializer[Any]):
    kind = serializers.ChoiceField(choices=Act.Kind.choices)
    actor = serializers.CharField(source="actor.name", allow_null=True, default=None)
    person = serializers.CharField(source="person.name", allow_null=True, default=None, help_text="Whom it concerns")
    comment = serializers.CharField()
    at = serializers.DateTimeField()


class MomentOut(serializers.Serializer[Any]):
    """A later moment of a story."""

    scenario = serializers.DictField(help_text="As in a scenario file")
    words = serializers.DictField(help_text="Story and note by language; the title belongs to the whole story")
    ruling = serializers.DictField(allow_null=True, help_text="The ruling of the engine at publication")


class VersionOut(VersionRow):
    scenario = serializers.DictField(source="scenario_document", help_text="As in a scenario file")
    words = serializers.DictField(help_text="Title, story and note by language")
    ruling = serializers.DictField(
        source="ruling_document", allow_null=True, help_text="The ruling of the engine at publication"
    )
    later = MomentOut(source="moments", many=True, help_text="The later moments of a story")
    acts = serializers.SerializerMethodField(help_text="The acts you may perform now")
    history = serializers.SerializerMethodField()

    def get_acts(self, version: Version) -> list[str]:
        latest = selectors.siblings(version)[0].pk == version.pk
        return services.allowed_acts(version, self.context["person"], latest=latest)

    @extend_schema_field(ActOut(many=True))
    def get_history(self, version: Version) -> list[dict[str, Any]]:
        return list(ActOut(selectors.history(version), many=True).data)


class VersionsAsked(serializers.Serializer[Any]):
    """Without a state: everything except retired versions."""

    state = serializers.ChoiceField(choices=Version.State.choices, required=False)
    rulebook = serializers.ChoiceField(choices=list(RULEBOOKS), default="")
    topic = serializers.CharField(default="")
    author = serializers.IntegerField(default=None, allow_null=True)
    text = serializers.CharField(default="", max_length=100)
    reserved = serializers.BooleanField(default=None, allow_null=True, help_text="Published for exams, or for practice")


AT_TABLE = "The table at which it is played; without one, sums are in the money of the regulation"


class DraftIn(serializers.Serializer[Any]):
    """Facts in the published schema of scenario files; the engine adds the questions and the ruling."""

    rulebook = serializers.ChoiceField(choices=list(RULEBOOKS))
    topic = serializers.CharField()
    situation = serializers.DictField()
    difficulty = serializers.IntegerField(min_value=1, max_value=5, default=2)
    table = serializers.DictField(required=False, help_text=AT_TABLE)
    words = serializers.DictField(default=dict)
    moments = serializers.ListField(
        child=serializers.DictField(),
        default=list,
        help_text="The later moments of a story: further scenarios of the rulebook",
    )


class ChangesIn(serializers.Serializer[Any]):
    """Changes to a draft; fields left out stay as they are. `moments` replaces all later moments."""

    topic = serializers.CharField(required=False)
    situation = serializers.DictField(required=False)
    difficulty = serializers.IntegerField(min_value=1, max_value=5, required=False)
    table = serializers.DictField(required=False, help_text=AT_TABLE)
    words = serializers.DictField(required=False)
    moments = serializers.ListField(
        child=serializers.DictField(),
        required=False,
        help_text="The later moments of a story: further scenarios of the rulebook",
    )
    changed_at = serializers.DateTimeField(
        required=False, help_text="As you read it: refused if the draft was changed since"
    )


ACTS = ["submit", "send_back", "publish", "release", "retire", "new_version", "add_author", "remove_author"]


class ActIn(serializers.Serializer[Any]):
    act = serializers.ChoiceField(choices=ACTS)
    comment = serializers.CharField(
        default="", allow_blank=True, help_text="Required to send back, release and retire", trim_whitespace=False
    )
    reserved = serializers.BooleanField(default=False, help_text="Publish for the exam bank and not for practice")
    person = serializers.IntegerField(required=False, help_text="The co-author to add or remove")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if attrs["act"] in ("add_author", "remove_author") and "person" not in attrs:
            raise serializers.ValidationError({"person": [_("Required for this action.")]})
        return attrs


class ImportIn(serializers.Serializer[Any]):
    """Imports all scenarios or none. With `dry_run` they are only checked."""

    scenarios = serializers.ListField(child=serializers.JSONField())
    dry_run = serializers.BooleanField(default=True)


class ImportOut(serializers.Serializer[Any]):
    checked = serializers.IntegerField()
    made = serializers.ListField(child=serializers.IntegerField(), help_text="Ids of the drafts; empty after a dry run")


def unfit(error: UnfitList, where: Callable[[RowError], str]) -> Problem:
    fields: dict[str, list[str]] = {}
    for row in error.errors:
        fields.setdefault(where(row).strip("."), []).append(row.reason)
    return invalid(fields)


def version_of(version_id: int) -> Version:
    try:
        return selectors.version_of(version_id)
    except Version.DoesNotExist:
        raise Http404 from None


def write_version(version: Version, person: User) -> dict[str, Any]:
    """A version, without rulings and notes that this person may not see."""
    told = dict(VersionOut(version, context={"person": person}).data)
    if Watches().close(version, person):
        told |= {"ruling": None, "words": without_notes(told["words"])}
        told["later"] = [one | {"ruling": None, "words": without_notes(one["words"])} for one in told["later"]]
    return told


@allow(Role.INSTRUCTOR)
class VersionsView(ApiView):
    areas = ("teaching",)
    refusals = ["invalid"]

    @extend_schema(parameters=[VersionsAsked], responses=VersionRow(many=True))
    def get(self, request: Request) -> Response:
        """List versions of scenarios, the last changed first."""
        asked = self.asked(VersionsAsked)
        state = asked.pop("state", "")
        found = selectors.versions(selectors.Filters(states=[state] if state else [], **asked))
        listed = found.defer("scenario_document", "ruling_document")
        return self.listed(listed, lambda page: VersionRow(page, many=True).data)

    @extend_schema(request=DraftIn, responses={201: VersionOut})
    def post(self, request: Request) -> Response:
        """Create a draft from facts. The engine refuses impossible facts and names them."""
        try:
            [entry] = import_export.read(msgspec.json.encode([self.sent(DraftIn)]))
        except UnfitList as error:
            raise unfit(error, lambda row: row.field) from None
        made = import_export.make_draft(self.person, entry)
        return Response(write_version(made, self.person), status=201)


@allow(Role.INSTRUCTOR)
class VersionView(ApiView):
    areas = ("teaching",)
    refusals = ["refused"]

    @extend_schema(responses=VersionOut)
    def get(self, request: Request, version_id: int) -> Response:
        """Get a version with its facts, words and history."""
        return Response(write_version(version_of(version_id), self.person))

    @extend_schema(request=ChangesIn, responses=VersionOut)
    def patch(self, request: Request, version_id: int) -> Response:
        """Change facts, words or later moments of a draft. The engine refuses impossible facts and names them."""
        version, sent = version_of(version_id), self.sent(ChangesIn)
        seen = sent.pop("changed_at", None)
        drafts.verify_save(version, self.person)
        try:
            entry = import_export.changed(version, sent)
        except UnfitList as error:
            raise unfit(error, lambda row: row.field) from None
        drafts.save_draft(
            version,
            self.person,
            scenario=entry.scenario,
            words=entry.words,
            accepted=moments.accepted_on(entry.scenario, version),
            later=moments.still_accepted(entry.later, version.moments),
            # Fields left out are as read here, so nobody may have changed them meanwhile.
            seen=version.changed_at if seen is None else seen,
        )
        return Response(write_version(version_of(version_id), self.person))


@allow(Role.INSTRUCTOR)
class ActsView(ApiView):
    areas = ("teaching",)
    refusals = ["refused"]

    @extend_schema(request=ActIn, responses=VersionOut)
    def post(self, request: Request, version_id: int) -> Response:
        """Submit for review, send back, publish (by a second person, for practice or the exam bank), release from the
        bank to practice for good, retire, make a new version, or add and remove co-authors."""
        version, sent = version_of(version_id), self.sent(ActIn)
        if "person" in sent and sent["act"] in ("add_author", "remove_author"):
            change = authors.add if sent["act"] == "add_author" else authors.remove
            done = change(version, self.person, _person(sent["person"]))
            return Response(write_version(version_of(done.pk), self.person))
        done = _act(sent["act"], version, self.person, sent["comment"], reserved=sent["reserved"])
        return Response(write_version(version_of(done.pk), self.person))


def _person(person_id: int) -> User:
    found = User.objects.filter(pk=person_id).first()
    if found is None:
        raise invalid({"person": [_("There is no such person.")]})
    return found


def _act(name: str, version: Version, actor: User, comment: str, *, reserved: bool) -> Version:
    match name:
        case "submit":
            return services.submit_for_review(version, actor)
        case "send_back":
            return services.send_back(version, actor, comment)
        case "publish":
            return services.publish(version, actor, comment, reserved=reserved)
        case "release":
            return services.release(version, actor, comment)
        case "retire":
            return services.retire(version, actor, comment)
    return drafts.new_version(version.item, actor)


@allow(Role.INSTRUCTOR)
class ImportView(ApiView):
    areas = ("teaching",)

    @extend_schema(request=ImportIn, responses=ImportOut)
    def post(self, request: Request) -> Response:
        """Check a list of scenarios and, unless it is a dry run, create drafts of all of them."""
        sent = self.sent(ImportIn)
        content = msgspec.json.encode(sent["scenarios"])
        try:
            entries = import_export.read(content)
            if sent["dry_run"]:
                return Response({"checked": len(entries), "made": []})
            # Independent of a file that the same person may be importing on the page.
            made = import_export.take(self.person, entries)
        except UnfitList as error:
            raise unfit(error, _row_of_list) from None
        return Response({"checked": len(made), "made": [version.pk for version in made]})


def _row_of_list(row: RowError) -> str:
    return f"scenarios.{row.row - 1}.{row.field}" if row.row else "scenarios"
