"""What a newcomer does: clone, `make run`, sign in, answer, read the mark, Ctrl-C.

The command is run in a copy of the files as git would clone them, with an empty home and no services.
"""

import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.drilling import see_the_solution
from tests.browser.walking import past_the_card
from tests.running import ROOT, Installation, until
from training.people.demo import PASSWORD

pytestmark = pytest.mark.browser
MARK_WITHIN = 1.0  # seconds from submitting; on a loaded test machine a little more is forgiven
FORGIVEN = 4.0


def fresh_clone(to: Path) -> Path:
    """The files of this checkout, without anything that was installed or made."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    for name in listed.stdout.decode().split("\0"):
        if name and (ROOT / name).is_file():
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, to / name)
    return to


def sign_in(page: Page, base: str, email: str) -> None:
    page.goto(base)
    page.get_by_label("E-mail").fill(email)
    page.get_by_label("Palavra-passe").fill(PASSWORD)
    page.get_by_role("button", name="Iniciar sessão").click()


def answer_everything(page: Page) -> None:
    """Any answer at all: the test is about the way, not about being right."""
    for field in page.locator("#answer input[type=text], #answer input:not([type])").all():
        field.fill("Igualdade a quatro")
    for group in page.locator("#answer fieldset").all():
        group.locator("label").first.click()


def test_from_make_run_to_a_mark_and_back_to_nothing(
    page: Page, install: Callable[..., Installation], tmp_path: Path
) -> None:
    clone = fresh_clone(tmp_path / "clone")
    home = tmp_path / "home"
    home.mkdir()
    installation = install(HOME=str(home))
    for variable in ("SABOT_VAR", "SABOT_MODE", "VIRTUAL_ENV"):
        installation.environment.pop(variable, None)
    process = installation.start("make run", ["make", "--directory", str(clone), "run"])
    installation.wait_until_ready(within=300)
    until("the address is told", lambda: f"{installation.url}/" in installation.output("make run"))

    sign_in(page, installation.url, "ines@sabot.example")
    page.get_by_role("link", name="Treino").first.click()
    page.get_by_role("link", name="Lições").first.click()
    page.wait_for_url("**/practice/rules/**")  # loaded: a chapter opened before its script runs shows only a link
    third_card = page.locator("details", has_text="A terceira carta do banqueiro")
    if not third_card.evaluate("chapter => chapter.open"):  # the chapter to go on with is open already
        third_card.locator("summary").click()
    third_card.locator('button[name="difficulty"][value="1"]').click()
    expect(page.locator(".table-drawing").first).to_be_visible()
    answer_everything(page)
    started = time.monotonic()
    page.get_by_role("button", name="Submeter").click()
    expect(page.locator("#panel[data-graded], #panel[data-held]")).to_be_visible(timeout=10_000)
    assert time.monotonic() - started < MARK_WITHIN + FORGIVEN
    if page.locator("#panel[data-held]").count():
        see_the_solution(page)
    next_scenario = page.get_by_role("button", name="Seguinte")
    expect(next_scenario).to_be_visible()
    expect(page.get_by_text(re.compile(r"^art\. \d+")).first).to_be_visible()

    first = page.url
    next_scenario.click()
    past_the_card(page, first)

    os.killpg(process.pid, signal.SIGINT)
    process.wait(timeout=30)
    assert installation.pids() == []
    assert list(home.iterdir()) == []
