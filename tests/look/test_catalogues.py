"""Every sentence of the pages is in every language, with the same values in it; in Portuguese, as it is said in
Portugal."""

import ast
import io
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import django
import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract
from babel.messages.pofile import read_po
from django.conf import settings
from django.utils.translation.template import templatize

ROOT = Path(__file__).parents[2]
LOCALE = ROOT / "training/locale"
BRAZILIAN = re.compile(
    r"\b(você|senhas?|usuári[oa]s?|arquivos?|tela|celular(es)?|cadastr\w+|deletar|baixar|logar|"
    r"gerencia\w*|registro|contato)\b",
    re.I,
)


def catalogue(language: str) -> Catalog:
    with (LOCALE / language / "LC_MESSAGES/django.po").open("rb") as file:
        return read_po(file, locale=language)


def forms(text: str | tuple[str, ...] | list[str] | None) -> list[str]:
    return [text] if isinstance(text, str) else list(text or ())


CATALOGUES = {
    folder.name: [message for message in catalogue(folder.name) if message.id] for folder in sorted(LOCALE.iterdir())
}
MESSAGES = CATALOGUES["pt"]
each_language = pytest.mark.parametrize("language", CATALOGUES)


def test_there_is_a_catalogue_for_every_language_but_that_of_the_source() -> None:
    assert {*CATALOGUES, "en"} == {code for code, _name in settings.LANGUAGES}


@each_language
def test_nothing_is_marked_doubtful(language: str) -> None:
    assert [message.id for message in CATALOGUES[language] if message.fuzzy] == []


@each_language
def test_everything_is_translated_in_as_many_forms_as_the_language_has(language: str) -> None:
    wrong = [message.id for message in CATALOGUES[language] if not all(forms(message.string))]
    assert wrong == []
    plural = {len(forms(message.string)) for message in CATALOGUES[language] if not isinstance(message.id, str)}
    assert plural == {catalogue(language).num_plurals}


def values(text: str) -> set[str]:
    """For Python, and in braces for the scripts."""
    return set(re.findall(r"%\(\w+\)[sd]|%[sd]|\{\w+\}", text))


# One test for all sentences, which names those that fail: as thousands of tests they took longer to count than to read.
@each_language
def test_translations_carry_the_same_values(language: str) -> None:
    wrong = [
        (message.id, said)
        for message in CATALOGUES[language]
        for said in forms(message.string)
        if values(said) != values(forms(message.id)[-1]) or not can_be_filled(said)
    ]
    assert wrong == []


def can_be_filled(said: str) -> bool:
    """Whether a sentence with values has no other percent sign than `%%`."""
    named = dict.fromkeys(re.findall(r"%\((\w+)\)", said), 1)
    try:
        return bool(said % named) if named else True
    except (TypeError, ValueError):
        return False


def test_portuguese_of_portugal() -> None:
    assert [said for message in MESSAGES for said in forms(message.string) if BRAZILIAN.search(said)] == []


def test_what_an_exam_asks_is_a_question_and_a_questao_and_nothing_else() -> None:
    """One word for each: an exam has «questões», questions, each of which puts one case with its «perguntas», parts."""
    wrong = []
    for message in MESSAGES:
        said = re.sub(r"%\(\w+\)", "", " ".join(forms(message.id)))
        portuguese = " ".join(forms(message.string))
        if re.search(r"\bquest(ão|ões)\b", portuguese, re.I) and not re.search(r"\bquestions?\b", said, re.I):
            wrong.append(message.id)
        if re.search(r"\bitems?\b", said, re.I) and re.search(r"\bperguntas?\b", portuguese, re.I):
            wrong.append(message.id)
    assert wrong == []


def test_an_exam_has_a_nota_an_answer_pontos_and_only_a_hand_a_pontuacao() -> None:
    """One word for each: the measure of a whole exam, what one answer gets, what the cards of a hand come to."""
    wrong = []
    for message in MESSAGES:
        said, portuguese = " ".join(forms(message.id)), " ".join(forms(message.string))
        if re.search(r"\bclassifica(ção|ções)\b", portuguese, re.I):
            wrong.append(message.id)
        if re.search(r"\bpontua(ção|ções)\b", portuguese, re.I) and not re.search(r"\bhands?\b", said):
            wrong.append(message.id)
        if re.search(r"\bnotas?\b", portuguese, re.I) and not re.search(
            r"\bscores?\b|pass mark|exams and their marks|teaching note|stories and notes", said, re.I
        ):
            wrong.append(message.id)
    assert wrong == []


# ---- what the pages say, and what the catalogue holds

# By function: whether a context comes first, and how many forms a sentence has.
CALLS = {
    "_": (False, 1),
    "gettext": (False, 1),
    "gettext_lazy": (False, 1),
    "gettext_noop": (False, 1),
    "ngettext": (False, 2),
    "ngettext_lazy": (False, 2),
    "pgettext": (True, 1),
    "pgettext_lazy": (True, 1),
    "npgettext": (True, 2),
    "npgettext_lazy": (True, 2),
}
# The same as Babel asks for them.
KEYWORDS = {
    name: tuple([(1, "c")] * context + list(range(1 + context, 1 + context + count)))
    for name, (context, count) in CALLS.items()
}
Sentence = tuple[str | None, str | tuple[str, ...]]  # its context, and it or its forms
ANY = "*"  # in place of a sentence that is made from data


def sentences_of_template(text: str) -> Iterator[Sentence]:
    code = "\n".join(line.strip() for line in templatize(text).splitlines())
    for _line, said, _comments, context in extract("python", io.BytesIO(code.encode()), keywords=KEYWORDS):
        yield context, said


def sentences_of_code(text: str) -> Iterator[Sentence]:
    """By the syntax itself, which also sees what is said inside of an f-string."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in CALLS:
            has_context, count = CALLS[node.func.id]
            given = [str(arg.value) if isinstance(arg, ast.Constant) else ANY for arg in node.args]
            context = given.pop(0) if has_context else None
            yield context, tuple(given[:2]) if count == 2 else given[0]


@cache
def said() -> dict[Sentence, str]:
    """Every sentence of templates and code, and a file that says it."""
    found: dict[Sentence, str] = {}
    for path in (ROOT / "templates").rglob("*"):
        if path.is_file():
            found |= dict.fromkeys(sentences_of_template(path.read_text()), path.name)
    for package in ("training", "exams"):
        for path in (ROOT / package).rglob("*.py"):
            found |= dict.fromkeys(sentences_of_code(path.read_text()), path.name)
    return found


def sentence_of(message: Message) -> Sentence:
    return message.context, message.id if isinstance(message.id, str) else tuple(message.id)


def held(language: str) -> dict[Sentence, Message]:
    return {sentence_of(message): message for message in CATALOGUES[language]}


def said_by_django() -> set[Sentence]:
    """Ours may say better in Portuguese what Django says itself: the months and days."""
    with (Path(django.__file__).parent / "conf/locale/en/LC_MESSAGES/django.po").open("rb") as file:
        return {sentence_of(message) for message in read_po(file) if message.id}


def test_the_rule_sees_every_way_to_say_something() -> None:
    template = """
        {% load i18n %}{% translate "One" %}  {% translate "Two" context "of two" as two %} {{ x|default:_("Three") }}
        {% blocktranslate with name=x.name trimmed %}
            Four of {{ name }}
        {% endblocktranslate %}
        {% blocktranslate count n=y %}{{ n }} five{% plural %}{{ n }} fives{% endblocktranslate %}"""
    seen: list[Sentence] = [
        (None, "One"),
        ("of two", "Two"),
        (None, "Three"),
        (None, "Four of %(name)s"),
        (None, ("%(n)s five", "%(n)s fives")),
    ]
    assert list(sentences_of_template(template)) == seen
    code = """f"{_('a' 'b')}"; pgettext("of c", "c"); ngettext("d", "ds", n); pgettext("of e", one["e"]); gettext(f)"""
    told: set[Sentence] = {(None, "ab"), ("of c", "c"), (None, ("d", "ds")), ("of e", ANY), (None, ANY)}
    assert set(sentences_of_code(code)) == told


@each_language
def test_every_sentence_of_templates_and_code_is_in_the_catalogue(language: str) -> None:
    known = held(language)
    whole = {(context, forms(sentence)[0]) for context, sentence in known}
    assert len(said()) > 3000
    missing = {
        sentence: where
        for sentence, where in said().items()
        if ANY not in sentence and not (sentence in known if isinstance(sentence[1], tuple) else sentence in whole)
    }
    assert missing == {}


def test_only_a_sentence_with_a_context_is_made_from_data() -> None:
    """The context says which of the catalogue are meant, so that these are not taken for dead."""
    assert said().get((None, ANY)) is None


@each_language
def test_the_catalogue_keeps_nothing_that_nobody_says(language: str) -> None:
    from_data = {context for context, sentence in said() if sentence == ANY}
    living = {*said(), *said_by_django()}
    dead = [one for one in held(language) if one not in living and one[0] not in from_data]
    assert dead == []


# ---- what is said outside of templates and code


def test_letters_are_templates_and_scripts_get_their_words_from_the_page() -> None:
    """So that the catalogue has them."""
    letters = [path for path in (ROOT / "templates").rglob("*.txt") if path.parent.name != "messages"]
    assert len(letters) > 30
    assert {path.name for path in letters if not list(sentences_of_template(path.read_text()))} == set()
    sentence = re.compile(r"""["'`][A-Z][a-z]+(?: [a-z]+)+[.!?]?["'`]""")
    spoken = {path.name: sentence.findall(path.read_text()) for path in (ROOT / "training/static").rglob("*.js")}
    assert {name: found for name, found in spoken.items() if found} == {}


def test_a_certificate_has_the_same_words_in_every_language_with_the_same_values() -> None:
    document = tomllib.loads((ROOT / "exams/certificates/document.toml").read_text())
    assert set(document) == {code for code, _name in settings.LANGUAGES}
    wanted = {name: values(text) for name, text in document["en"].items()}
    for language, own in document.items():
        assert {name: values(text) for name, text in own.items()} == wanted, language
        assert all(own.values()), language
