"""The colours of the stylesheet, read from the file itself: text and controls stay legible in both themes."""

import re
from pathlib import Path

import pytest

STATIC = Path(__file__).parents[2] / "training/static/sabot"
CSS, DARK = ((STATIC / name).read_text() for name in ("sabot.css", "dark.css"))
TEXT, PART = 4.5, 3.0  # WCAG 2.2 AA: running text; borders of controls and focus marks


def tokens(block: str) -> dict[str, str]:
    return dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", block))


def themes() -> dict[str, dict[str, str]]:
    light = tokens(re.findall(r":root \{\n(.*?)\n\}\n", CSS, re.S)[0])
    return {"light": light, "dark": light | tokens(DARK)}


def luminance(colour: str) -> float:
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    brighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (brighter + 0.05) / (darker + 0.05)


GROUNDS = ("paper", "sheet", "sheet-2")
PAIRS = [
    *((text, ground, TEXT) for text in ("ink", "ink-2", "accent", "accent-strong") for ground in GROUNDS),
    *((text, ground, TEXT) for text in ("good", "warn", "bad") for ground in GROUNDS),
    *((tone, f"{tone}-wash", TEXT) for tone in ("good", "warn", "bad")),
    *(("ink", f"{tone}-wash", TEXT) for tone in ("good", "warn", "bad", "accent")),
    ("accent-strong", "accent-wash", TEXT),
    ("on-accent", "accent", TEXT),
    ("on-accent", "accent-strong", TEXT),
    *(("edge", ground, PART) for ground in GROUNDS),
    ("accent", "line", PART),
]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_contrast(theme: str) -> None:
    colours = themes()[theme]
    measured = [(front, back, contrast(colours[front], colours[back]), least) for front, back, least in PAIRS]
    assert [pair for pair in measured if pair[2] < pair[3]] == []


def test_contrast_formula_against_known_values() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


def test_dark_theme_gives_every_colour_its_own_value() -> None:
    light, dark = themes()["light"], themes()["dark"]
    assert [name for name in light if dark[name] == light[name]] == []


def test_five_text_sizes_and_no_other() -> None:
    sizes = re.findall(r"font-size: ([^;]+);", CSS)
    allowed = {f"var(--{name})" for name in ("small", "body", "large", "title", "display")} | {"0.95em"}
    assert set(sizes) <= allowed


def test_every_colour_variable_used_is_defined() -> None:
    used = set(re.findall(r"var\(--([\w-]+)\)", CSS))
    defined = set(re.findall(r"--([\w-]+):", CSS))
    assert used <= defined
