"""Forms for exam sessions."""

from typing import Any

from django import forms
from django.utils.translation import gettext, gettext_lazy, pgettext

from exams.exam_sessions.candidacy import MAX_BYTES
from exams.exam_sessions.setup import MOST_EXTRA_MINUTES
from exams.programmes.models import ProgrammeVersion
from exams.records.models import Session
from training.classes.models import TrainingClass
from training.platform.folded_text import sort_key

LOCAL_TIME = "%Y-%m-%dT%H:%M"


class Moment(forms.DateTimeField):
    """A date and time in the user's time zone."""

    def __init__(self, **kwargs: Any) -> None:
        widget = forms.DateTimeInput(attrs={"type": "datetime-local"}, format=LOCAL_TIME)
        super().__init__(widget=widget, **kwargs)


class SessionForm(forms.Form):
    programme = forms.ChoiceField(label=gettext_lazy("Programme"))
    part = forms.ChoiceField(
        label=gettext_lazy("Part of the exam"),
        choices=Session.Part.choices,
        required=False,
        initial=Session.Part.THEORY,
    )
    title = forms.CharField(
        label=gettext_lazy("Title"),
        max_length=120,
        help_text=gettext_lazy("As the candidates will read it, e.g. Chemin de fer, November"),
    )
    place = forms.CharField(label=gettext_lazy("Place"), max_length=120, required=False)
    opens_at = Moment(label=gettext_lazy("Opens"), help_text=gettext_lazy("Candidates may begin from then on."))
    entry_closes_at = Moment(
        label=gettext_lazy("Entry closes"),
        help_text=gettext_lazy("Whoever has begun by then keeps their full time."),
    )
    common_start = forms.BooleanField(
        label=gettext_lazy("Everybody begins at the same time"),
        required=False,
        help_text=gettext_lazy(
            "Candidates may then get the same cases. Entry closes at most 15 minutes later, and nobody can hand in "
            "before that. Otherwise no two candidates get similar cases."
        ),
    )

    room = forms.ChoiceField(
        label=gettext_lazy("Class to enter"),
        required=False,
        help_text=gettext_lazy("Everybody in it who may sit this exam; more can be entered later."),
    )

    def __init__(
        self,
        *args: Any,
        versions: list[ProgrammeVersion],
        language: str,
        rooms: list[TrainingClass] | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.rooms = {str(room.pk): room for room in rooms or []}
        self.fields["room"].choices = [("", pgettext("class", "None")), *class_choices(rooms or [])]  # type: ignore[attr-defined]
        if not rooms:
            del self.fields["room"]
        if not any(version.rules.practical for version in versions):
            del self.fields["part"]
        self._versions = {str(version.pk): version for version in versions}
        names = [(pk, version.name(language)) for pk, version in self._versions.items()]
        self.fields["programme"].choices = names  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        opens, closes = data.get("opens_at"), data.get("entry_closes_at")
        if opens and closes and closes <= opens:
            self.add_error("entry_closes_at", gettext("Entry must close after the session opens."))
        return data

    def facts(self) -> dict[str, Any]:
        """The arguments for the services."""
        given = {name: self.cleaned_data[name] for name in ("title", "place", "opens_at", "entry_closes_at")}
        part = self.cleaned_data.get("part") or Session.Part.THEORY
        given["common_start"] = self.cleaned_data["common_start"]
        return given | {"version": self._versions[self.cleaned_data["programme"]], "part": part}

    def chosen_room(self) -> TrainingClass | None:
        return self.rooms.get(self.cleaned_data.get("room", ""))

    @staticmethod
    def initial_of(session: Session) -> dict[str, Any]:
        names = ("title", "place", "opens_at", "entry_closes_at", "common_start")
        kept = {name: getattr(session, name) for name in names}
        return kept | {"programme": str(session.programme_version_id), "part": session.part}


def class_choices(rooms: list[TrainingClass]) -> list[tuple[str, str]]:
    """Classes by name and instructors, because class names are not unique."""
    return [
        (str(room.pk), f"{room.name} ({', '.join(sorted((who.name for who in room.instructors.all()), key=sort_key))})")
        for room in rooms
    ]


class CandidateListForm(forms.Form):
    text = forms.CharField(
        label=gettext_lazy("E-mail addresses, one per line"),
        max_length=MAX_BYTES,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 10, "spellcheck": "false", "autocomplete": "off"}),
    )


class ExtraTimeForm(forms.Form):
    minutes = forms.IntegerField(min_value=0, max_value=MOST_EXTRA_MINUTES)
    reason = forms.CharField(required=False)


class CancelForm(forms.Form):
    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        max_length=500,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=gettext_lazy("Candidates who were told about the exam get it by e-mail."),
    )
