"""What authors write reaches readers as harmless HTML."""

import re

import pytest
from django.utils.safestring import SafeString

from training.library.markdown import render


def test_markdown_becomes_html() -> None:
    shown = render("## Porquê\n\nA carta é *queimada*, ver [art. 104](https://casino.example/104).\n\n- um\n- dois")
    assert isinstance(shown, SafeString)
    assert "<h4>Porquê</h4>" in shown
    assert "<em>queimada</em>" in shown
    assert '<a href="https://casino.example/104" rel="noopener noreferrer nofollow">art. 104</a>' in shown
    assert "<li>um</li>" in shown


@pytest.mark.parametrize(
    "attack",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "[x](javascript:alert(1))",
        "[x](JaVaScRiPt:alert(1))",
        "[x](data:text/html;base64,PHNjcmlwdD4=)",
        "[x](vbscript:msgbox)",
        "![x](https://elsewhere.example/pixel.png)",
        "<a href='javascript:alert(1)'>x</a>",
        "<svg onload=alert(1)>",
        "<iframe src='//elsewhere.example'></iframe>",
        "<style>*{display:none}</style>",
        "`<script>alert(1)</script>`",
        "<javascript:alert(1)>",
        '[x](https://a.example "onmouseover=alert(1)")',
        "[a]: javascript:alert(1)\n\n[a]",
        "<!-- --><script>alert(1)</script>",
        "<math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>",
    ],
)
def test_nothing_that_runs_or_fetches_gets_through(attack: str) -> None:
    shown = render(attack)
    tags = re.findall(r"<[^>]*>", shown)
    assert all(
        re.fullmatch(r'</?(p|em|strong|code|pre|a|h\d)( href="https://[^"]*"| (rel|title)="[^"]*")*>', t) for t in tags
    ), tags
