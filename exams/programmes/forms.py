"""Forms for a programme: its rules, the sections of the exam, and lines of items."""

from functools import cache
from typing import Any

from django import forms
from django.conf import settings
from django.forms.utils import flatatt
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from exams.programmes import exam_tables, validation, words
from exams.programmes.practical_form import PracticalFields
from exams.programmes.rules import Line, Rules, Section
from exams.programmes.services import LONGEST_CODE
from rules_engine import RULEBOOKS
from rules_engine.narration import books_by_game
from training.house.tables import of_house
from training.library.forms import LEVELS
from training.people.request import language_name
from training.platform.rulebook_choices import RulebookBoxes, TableBoxes, topic_choices

OPTION = '<option value="{}">{}</option>'
LANGUAGES = [code for code, _name in settings.LANGUAGES]


def whole(label: Any, least: int, most: int, **options: Any) -> forms.IntegerField:
    return forms.IntegerField(label=label, min_value=least, max_value=most, **options)


def choice(label: Any, choices: dict[str, Any]) -> forms.ChoiceField:
    return forms.ChoiceField(label=label, choices=list(choices.items()))


class NamedForm(forms.Form):
    """A form with a name in each language of the installation. The service asks for one of them."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for code in LANGUAGES:
            self.fields[f"name_{code}"] = forms.CharField(
                label=gettext("Name (%(language)s)") % {"language": language_name(code)},
                max_length=validation.LONGEST_NAME,
                required=False,
                widget=forms.TextInput(attrs={"lang": code, "autocomplete": "off"}),
            )

    def names(self) -> dict[str, str]:
        return {code: name for code in LANGUAGES if (name := self.cleaned_data[f"name_{code}"])}


def named(names: dict[str, str]) -> dict[str, str]:
    """Names as initial form data."""
    return {f"name_{code}": names.get(code, "") for code in LANGUAGES}


class RulesForm(PracticalFields, NamedForm):
    """Everything except the sections. `BEFORE` and `AFTER` group the fields around them."""

    code = forms.CharField(
        label=_("Code"),
        max_length=LONGEST_CODE,
        help_text=_("Short, for the numbers of certificates, e.g. CDF-PT. It never changes."),
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )
    rulebooks = forms.MultipleChoiceField(
        label=_("The certificate entitles its holder to deal"),
        widget=RulebookBoxes,
        error_messages={"required": _("Choose at least one rulebook.")},
    )
    tables = forms.MultipleChoiceField(
        label=_("Tables"),
        required=False,
        widget=TableBoxes,
        help_text=_(
            "The exam is dealt at these tables, as they are now. A rulebook without one is examined at all tables that "
            "the house uses when the draft is saved. Tables of a rulebook that is not chosen above are left out."
        ),
    )
    minutes = whole(_("Minutes"), 1, validation.MOST_MINUTES)
    pass_mark = whole(_("Overall pass mark, %"), 1, 100)
    critical_allowed = whole(
        _("Critical faults forgiven"),
        0,
        validation.MOST_ITEMS,
        required=False,
        help_text=_(
            "How many questions may have one. 0: the first fails the exam. Empty: they do not fail it by themselves."
        ),
    )
    blank_critical = forms.BooleanField(
        label=_("A critical decision left blank is a critical fault too"), required=False
    )
    game_mark = whole(
        _("Minimum in each game, %"),
        0,
        100,
        required=False,
        help_text=_("Only if the certificate is for several games; otherwise leave it empty."),
    )
    mastery = whole(
        _("Rules known in practice, %"),
        0,
        100,
        help_text=_("For each rulebook, before somebody may sit the exam; 0 for no requirement."),
    )
    tries = whole(_("Attempts"), 1, validation.MOST_TRIES)
    wait_days = whole(_("Days to wait after a failed attempt"), 0, validation.MOST_DAYS)
    examiners = choice(_("Who may examine"), words.EXAMINERS)
    taught_may_examine = forms.BooleanField(
        label=_("Whoever taught a candidate may examine them, decide on them and review their appeals"), required=False
    )
    release = choice(_("Results are shown"), words.RELEASE)
    decision = choice(_("How passing is decided"), words.DECISION)
    annulment = choice(_("A sitting is annulled or its attempt given back"), words.ANNULMENT)
    certificate = choice(_("The certificate is issued"), words.CERTIFICATE)
    valid_months = whole(_("Valid for, months"), 1, validation.MOST_MONTHS)
    renewal_days = whole(
        _("Renewal window, days"), 0, validation.MOST_DAYS, help_text=_("Before the certificate ends.")
    )
    appeal_days = whole(_("Days to lodge an appeal"), 1, validation.MOST_DAYS)
    review_days = whole(_("Days to decide it"), 1, validation.MOST_DAYS)
    seen = forms.CharField(widget=forms.HiddenInput, required=False)
    refreshes = forms.CharField(widget=forms.HiddenInput, required=False, max_length=400)

    BEFORE = [
        (_("What is certified"), ("code", *(f"name_{code}" for code in LANGUAGES), "rulebooks")),
        (_("The exam"), ("minutes", "pass_mark", "game_mark", "critical_allowed", "blank_critical", "tables")),
    ]
    AFTER = [
        (_("Practical exam"), PracticalFields.practical_fields()),
        (_("Who may sit"), ("mastery", "tries", "wait_days")),
        (_("Who examines and decides"), ("examiners", "release", "decision", "annulment", "taught_may_examine")),
        (_("The certificate"), ("certificate", "valid_months", "renewal_days")),
        (_("Appeals"), ("appeal_days", "review_days")),
    ]

    def __init__(self, *args: Any, language: str, new: bool, kept: exam_tables.Named, **kwargs: Any) -> None:
        """`kept` are the tables that the draft names already."""
        super().__init__(*args, **kwargs)
        self.kept = kept
        self.fields["rulebooks"].choices = books_by_game(language)  # type: ignore[attr-defined]
        self.fields["tables"].choices = exam_tables.choices(kept, language)  # type: ignore[attr-defined]
        self.fields["tables"].widget.chosen = frozenset(self["rulebooks"].value() or ())
        self.add_fault_lines(language)
        if not new:
            del self.fields["code"]

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        self.verify_practical()
        return data

    def groups_before(self) -> list[tuple[Any, list[forms.BoundField]]]:
        return self._groups(self.BEFORE)

    def groups_after(self) -> list[tuple[Any, list[forms.BoundField]]]:
        return self._groups(self.AFTER)

    def _groups(self, groups: list[Any]) -> list[tuple[Any, list[forms.BoundField]]]:
        return [(title, [self[name] for name in names if name in self.fields]) for title, names in groups]

    def rules(self, sections: tuple[Section, ...]) -> Rules:
        data = {name: value for name, value in self.cleaned_data.items() if name in Rules.__struct_fields__}
        data["game_mark"] = data["game_mark"] or 0
        given = {"rulebooks": tuple(data["rulebooks"]), "refreshes": tuple(data["refreshes"].split())}
        tables = exam_tables.named(data["tables"], self.kept, data["rulebooks"])
        book = self.cleaned_data["p_rulebook"]
        at = tables.get(book) or (of_house(book) if book else ())
        practical = self.practical(at[0]) if at else None
        return Rules(**data | given | {"sections": sections, "tables": tables, "practical": practical})


class SectionForm(NamedForm):
    key = forms.CharField(widget=forms.HiddenInput, required=False, max_length=validation.LONGEST_KEY)
    pass_mark = whole(_("Its own pass mark, %"), 0, 100, initial=0, help_text=_("0 if it has none."))

    def __init__(self, *args: Any, language: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.order_fields(["key", *(f"name_{code}" for code in LANGUAGES), "pass_mark"])


class TopicSelect(forms.Select):
    """All topics of all rulebooks, rendered once per language because a sheet may have hundreds of such lines."""

    def __init__(self, language: str) -> None:
        super().__init__()
        self.language = language

    def render(self, name: str, value: Any, attrs: dict[str, Any] | None = None, renderer: Any = None) -> SafeString:
        attributes = self.build_attrs(self.attrs, {**(attrs or {}), "name": name})
        chosen = format_html('<option value="{}"', value or "")
        options = drawn_topics(self.language).replace(chosen, f"{chosen} selected", 1)
        empty = format_html(OPTION, "", _("Choose a topic"))
        # Every part is already escaped.
        return format_html("<select{}>{}{}</select>", flatatt(attributes), empty, mark_safe(options))  # noqa: S308


@cache
def topics_of(language: str) -> list[tuple[str, Any]]:
    return topic_choices(language)


@cache
def drawn_topics(language: str) -> str:
    return "".join(
        format_html('<optgroup label="{}">{}</optgroup>', book, format_html_join("", OPTION, known))
        for book, known in topics_of(language)
    )


class LineForm(forms.Form):
    topic = forms.ChoiceField(label=_("Topic"))
    difficulty = forms.TypedChoiceField(label=_("Difficulty"), choices=LEVELS, coerce=int, initial=2)
    items = whole(_("Questions"), 1, validation.MOST_ITEMS, initial=2)
    points = whole(_("Points each"), 1, validation.MOST_POINTS, initial=1)
    # `rulebook/topic/article` of a line limited to one article; a change of topic lifts the limit.
    limited = forms.CharField(widget=forms.HiddenInput, required=False, max_length=200)

    def __init__(self, *args: Any, language: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["topic"].widget = TopicSelect(language)
        self.fields["topic"].choices = topics_of(language)  # type: ignore[attr-defined]

    def line(self) -> Line:
        data = self.cleaned_data
        book, _slash, topic = data["topic"].partition("/")
        of, _slash, article = data["limited"].rpartition("/")
        return Line(
            rulebook=book,
            topic=topic,
            article=article if of == data["topic"] else "",
            difficulty=data["difficulty"],
            items=data["items"],
            points=data["points"],
        )

    def limit(self) -> str:
        """The article that the line is limited to, in words; empty if it takes the whole topic."""
        of, _slash, article = str(self["limited"].value() or "").rpartition("/")
        book, _slash, topic = of.partition("/")
        if not article or book not in RULEBOOKS or article not in RULEBOOKS[book].law or of != self["topic"].value():
            return ""
        return words.only_article(Line(rulebook=book, topic=topic, article=article, items=1))
