"""What every page keeps to: the strict Content-Security-Policy, and error pages that need nothing."""

import re
from pathlib import Path

import pytest
from django.template import engines
from django.template.loader import get_template
from django.test import RequestFactory
from django.utils import translation

ROOT = Path(__file__).parents[2]
TEMPLATES = sorted(path for path in (ROOT / "templates").rglob("*") if path.is_file())
NAMES = [path.relative_to(ROOT / "templates").as_posix() for path in TEMPLATES]
INLINE = re.compile(r"\sstyle\s*=|\son[a-z]+\s*=\s*[\"']|<style|javascript:|<script(?![^>]*\bsrc=)", re.I)
FOREIGN = re.compile(r"(?:src|href)=[\"'](?:https?:)?//", re.I)


def test_templates_compile() -> None:
    assert len(NAMES) > 100
    for name in NAMES:
        get_template(name)  # its error names the template and the line


def test_templates_keep_to_the_content_security_policy() -> None:
    texts = {name: path.read_text() for name, path in zip(NAMES, TEMPLATES, strict=True)}
    assert [name for name, text in texts.items() if INLINE.search(text) or FOREIGN.search(text)] == []


@pytest.mark.parametrize("bad", ['<p style="color:red">', '<a onclick="x">', "<script>x</script>", "<style>"])
def test_the_inline_check_sees_what_it_looks_for(bad: str) -> None:
    assert INLINE.search(bad)


@pytest.mark.parametrize("name", ["400.html", "500.html", "403_csrf.html"])
@pytest.mark.parametrize(("language", "way_out"), [("pt", "Ir para o início"), ("en", "Go to the home page")])
def test_error_page_renders_without_request_or_database(name: str, language: str, way_out: str) -> None:
    # No `db` mark: the test would fail on the first query.
    with translation.override(language):
        page = get_template(name).render()
    assert way_out in page
    assert f'<html lang="{language}">' in page


@pytest.mark.parametrize("name", ["403.html", "404.html", "429.html"])
def test_error_page_renders_for_a_visitor(name: str, rf: RequestFactory) -> None:
    request = rf.get("/somewhere?x=1")
    page = engines["django"].get_template(name).render({"request": request}, None)
    assert '<a class="button" href="/">' in page
    assert 'value="/somewhere?x=1"' in page  # the language switch comes back to this page
