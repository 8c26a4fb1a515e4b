"""Pages of cases rendered without a server and put into one browser page after another, with or without scripts."""

from pathlib import Path
from types import SimpleNamespace

from django.template.loader import render_to_string
from django.utils import translation
from playwright.sync_api import Page, Route

from rules_engine import RULEBOOKS, Scenario
from rules_engine.topics import topics
from training.people.menu import ENTRIES
from training.people.models import Role, User
from training.practice import presentation

STATIC = Path(__file__).parents[2] / "training/static"
TYPES = {".css": "text/css", ".js": "text/javascript", ".woff2": "font/woff2"}
ADDRESS = "http://sabot.test/"
SUBJECTS = [(book, topic) for book in RULEBOOKS for topic in topics(book)]


def rendered(scenario: Scenario, language: str, *, printed: bool = False) -> str:
    """The whole page of a drill, as a trainee sees it; `printed` leaves the figures as on the cloth."""
    with translation.override(language):
        return render_to_string(
            "practice/drill.html",
            {
                "drill": SimpleNamespace(
                    pk="00000000-0000-4000-8000-000000000000", difficulty=5, rulebook=scenario.book.id
                ),
                "attempt": None,
                "story": presentation.story(scenario, language, printed=printed),
                "questions": presentation.questions(scenario, language, {}),
                "language": scenario.book.language,
                "user": User(email="ana@casino.example", name="Ana Reis"),
                "menu": [{"url": "/", "label": entry.label} for entry in ENTRIES if Role.TRAINEE in entry.roles],
            },
        )


def main_of(page: str) -> str:
    return page.partition("<main")[2].partition(">")[2].partition("</main>")[0]


def open_on(page: Page, first: str, *, scripts: bool) -> None:
    """Open a rendered page with the styles and fonts of the site, and with its scripts if asked."""

    def serve(route: Route) -> None:
        file = STATIC / route.request.url.removeprefix(f"{ADDRESS}static/")
        if route.request.url == ADDRESS:
            route.fulfill(body=first, content_type="text/html; charset=utf-8")
        elif file.suffix in TYPES and file.is_file() and (scripts or file.suffix != ".js"):
            route.fulfill(body=file.read_bytes(), content_type=TYPES[file.suffix])
        else:
            route.abort()

    page.route("**/*", serve)
    page.goto(ADDRESS)
