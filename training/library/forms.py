"""What instructors fill in on the library's pages."""

import re
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext, gettext_lazy, pgettext_lazy

from rules_engine.citations import citation
from training.library import selectors
from training.library.author_texts import LIMITS
from training.library.generated import MOST, articles
from training.library.import_export import MAX_BYTES, MAX_SCENARIOS
from training.library.incident_search import article
from training.library.models import Tag, Version
from training.library.spreadsheet import MAX_COLUMNS
from training.people.models import User
from training.platform.rulebook_choices import topic_choices

LEVELS = [
    (1, gettext_lazy("1 · first steps")),
    (2, gettext_lazy("2 · an ordinary evening")),
    (3, gettext_lazy("3 · the finer points")),
    (4, gettext_lazy("4 · a full table")),
    (5, gettext_lazy("5 · everything at once")),
]
ANY_STATE = "any"
NEAR = 12  # articles suggested if the one asked for has no scenarios
USES = [
    ("", gettext_lazy("Practice or exams")),
    ("practice", gettext_lazy("Practice")),
    ("exams", gettext_lazy("Exams")),
]


class GenerateForm(forms.Form):
    topic = forms.ChoiceField(label=gettext_lazy("Rulebook and topic"))
    article = forms.CharField(
        label=gettext_lazy("Article"),
        required=False,
        max_length=32,
        help_text=gettext_lazy("As the regulation prints it, e.g. 67 d)"),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    difficulty = forms.TypedChoiceField(label=gettext_lazy("Difficulty"), choices=LEVELS, coerce=int, initial=2)
    count = forms.IntegerField(label=gettext_lazy("How many"), min_value=1, max_value=MOST, initial=10)

    def __init__(self, *args: Any, language: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["topic"].choices = topic_choices(language, whole=True)  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if "topic" in data:
            rulebook, _slash, topic = data["topic"].partition("/")
            data["rulebook"], data["topic_id"] = rulebook, topic or None
            data["article"] = self._article(rulebook, topic or None, data.get("article", "").strip())
        return data

    def _article(self, rulebook: str, topic: str | None, typed: str) -> str | None:
        """The clause that was typed, in any usual way of writing it. Adds an error if no scenario turns on it."""
        known = articles(rulebook, topic)
        if not typed or (found := article(typed, known)):
            return found if typed else None
        near = [cite for cite in known if cite.split()[0].split("-")[0] == re.sub(r"\D", "", typed)] or known
        told = ", ".join(dict.fromkeys(map(citation, near[:NEAR])))
        self.add_error(
            "article",
            ValidationError(
                gettext("No scenario here depends on article %(article)s. These can be practised: %(known)s"),
                params={"article": typed, "known": f"{told}…" if len(near) > NEAR else told},
            ),
        )
        return None


class FilterForm(forms.Form):
    """The filters of the list, from the query string."""

    state = forms.ChoiceField(label=gettext_lazy("State"), required=False)
    use = forms.ChoiceField(label=gettext_lazy("Published for"), required=False, choices=USES)
    topic = forms.ChoiceField(label=gettext_lazy("Rulebook and topic"), required=False)
    author: "forms.ModelChoiceField[User]" = forms.ModelChoiceField(
        label=gettext_lazy("Author"), required=False, queryset=None, empty_label=gettext_lazy("Everybody")
    )
    tag: "forms.ModelChoiceField[Tag]" = forms.ModelChoiceField(
        label=gettext_lazy("Tag"), required=False, queryset=Tag.objects.all(), empty_label=pgettext_lazy("tags", "All")
    )
    q = forms.CharField(label=pgettext_lazy("search", "Words"), required=False, max_length=100)

    def __init__(self, *args: Any, language: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        states = [("", gettext("All but retired")), *Version.State.choices, (ANY_STATE, gettext("All"))]
        everything = [("", gettext("All rulebooks")), *topic_choices(language, whole=True)]
        self.fields["state"].choices = states  # type: ignore[attr-defined]
        self.fields["topic"].choices = everything  # type: ignore[attr-defined]
        self.fields["author"].queryset = selectors.authors()  # type: ignore[attr-defined]

    def filters(self) -> selectors.Filters:
        """The valid filters. An invalid one is ignored and gets an error on the form."""
        self.is_valid()
        data = self.cleaned_data
        rulebook, _slash, topic = data.get("topic", "").partition("/")
        state = data.get("state", "")
        author = data.get("author")
        return selectors.Filters(
            states=Version.State.values if state == ANY_STATE else [state] if state else [],
            rulebook=rulebook,
            topic=topic,
            author=author.pk if author else None,
            tag=tag.pk if (tag := data.get("tag")) else None,
            text=data.get("q", ""),
            reserved={"practice": False, "exams": True}.get(data.get("use", "")),
        )


class WordsForm(forms.Form):
    """Title, story and teaching note in each language, on the editor's form.

    A later moment of a story is not `titled`: the story has one title.
    """

    def __init__(
        self,
        *args: Any,
        languages: tuple[str, ...],
        words: dict[str, dict[str, str]],
        titled: bool = True,
        **kwargs: Any,
    ) -> None:
        self.languages, self.names = languages, [name for name in LIMITS if titled or name != "title"]
        kwargs["initial"] = {
            f"{code}-{name}": words.get(code, {}).get(name, "") for code in languages for name in self.names
        }
        super().__init__(*args, **kwargs)
        labels = {
            "title": gettext("Title"),
            "story": gettext("Story, shown with the scenario"),
            "note": gettext("Teaching note, shown with the solution"),
        }
        for code in languages:
            for name in self.names:
                lines = forms.TextInput if name == "title" else forms.Textarea(attrs={"rows": 4})
                self.fields[f"{code}-{name}"] = forms.CharField(
                    label=labels[name], max_length=LIMITS[name], required=False, widget=lines
                )
                self.fields[f"{code}-{name}"].widget.attrs |= {"lang": code, "form": "editor"}
                if name == "title":
                    self.fields[f"{code}-{name}"].widget.attrs["placeholder"] = labels[name]

    @property
    def head(self) -> forms.BoundField | None:
        """The title in the first language, which stands above the table; None for a later moment."""
        return self[f"{self.languages[0]}-title"] if "title" in self.names else None

    def by_language(self) -> list[tuple[str, list[forms.BoundField]]]:
        """The text fields that are not shown above the table."""
        above = f"{self.languages[0]}-title"
        return [
            (code, [self[name] for name in (f"{code}-{one}" for one in self.names) if name != above])
            for code in self.languages
        ]

    def words(self) -> dict[str, dict[str, str]]:
        return {code: {name: self.cleaned_data[f"{code}-{name}"] for name in self.names} for code in self.languages}


class ImportForm(forms.Form):
    file = forms.FileField(
        label=gettext_lazy("Scenario file"), widget=forms.ClearableFileInput(attrs={"accept": ".json,.xlsx,.csv"})
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        told = gettext(
            "At most %(scenarios)d scenarios and %(size)d KB; only the first %(wide)d columns of a table are read."
        )
        limits = {"scenarios": MAX_SCENARIOS, "wide": MAX_COLUMNS, "size": MAX_BYTES // 1024}
        self.fields["file"].help_text = told % limits
