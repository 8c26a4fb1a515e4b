"""Tables of every game as a browser lays them out: what is written on them, what lies there, and what touches what."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from django.template.loader import render_to_string
from django.utils import translation
from playwright.sync_api import Page

from rules_engine import RULEBOOKS
from rules_engine.scenario import Scenario, generate
from rules_engine.topics import topics
from training.practice.figures import PRINTED_FROM
from training.practice.presentation import story

STATIC = Path(__file__).parents[2] / "training" / "static" / "sabot"
STYLE = "".join((STATIC / f"{name}.css").read_text() for name in ("sabot", "table", "drill"))
SLACK = 1.0  # pixels that edges may share
# A label is any text that is not printed on a thing; a thing is a card, chips, a person, a die, a shoe. What belongs
# together may lie on one another: the cards of a heap, the chips of a stack, those on one spot.
MEASURE = """SLACK => [...document.querySelectorAll("figure")].map(figure => {
  const svg = [...figure.querySelectorAll("svg.table-drawing")].find(one => one.getBoundingClientRect().width);
  const frame = svg.getBoundingClientRect();
  const box = part => {
    const r = part.getBoundingClientRect();
    const print = part.tagName === "text" ? 0.19 * r.height : 0; // room for accents and tails is not print
    return [r.left - frame.left, r.top - frame.top + print, r.right - frame.left, r.bottom - frame.top - print];
  };
  const size = text => {
    const m = text.getScreenCTM();
    return parseFloat(getComputedStyle(text).fontSize) * Math.sqrt(Math.abs(m.a * m.d - m.b * m.c));
  };
  const THING = ".playing-card, .token, .mark, .croupier, .die, .stack, .bubble, .puck";
  const name = part => `${part.getAttribute("class") ?? part.tagName} ${part.textContent.trim()}`;
  const labels = [...svg.querySelectorAll("text")].filter(text =>
    !text.closest(THING) && text.textContent.trim() && !text.matches(".pocket-number"));
  const things = [...svg.querySelectorAll(
    `.playing-card, .token .chip-ring, .mark .body, .croupier .plate, .die > rect, .stack .chip-ring, .symbol, .marker,
     .puck-body, .bubble .balloon`)];
  const group = part => part.closest(".heap, .spot, .printed-die, .pile")?.dataset.group ?? "";
  // The corners of a text as it is printed: those of its box are too far out where it is turned.
  const corners = text => {
    const { x, y, width, height } = text.getBBox();
    const m = text.getScreenCTM();
    const spare = 0.19 * height;
    const at = (px, py) => new DOMPoint(px, py).matrixTransform(m);
    return [at(x, y + spare), at(x + width, y + spare), at(x + width, y + height - spare), at(x, y + height - spare)]
      .map(point => [point.x - frame.left, point.y - frame.top]);
  };
  const turned = part => part.tagName === "text" && part.hasAttribute("transform");
  const shape = (part, [left, top, right, bottom]) =>
    turned(part) ? corners(part) : [[left, top], [right, top], [right, bottom], [left, bottom]];
  const part = (one, more) => {
    const measured = box(one);
    return {
      name: name(one.closest(THING) ?? one), box: measured, shape: shape(one, measured), turned: turned(one), ...more,
    };
  };
  // Print along a curve: every letter by itself.
  const letters = text => [...text.textContent].map((letter, index) => {
    const { x, y, width, height } = text.getExtentOfChar(index);
    const m = text.getScreenCTM();
    const start = new DOMPoint(x, y).matrixTransform(m);
    const spare = 0.19 * Math.min(width, height) * m.a;
    const measured = [start.x - frame.left + spare, start.y - frame.top + spare,
      start.x - frame.left + width * m.a - spare, start.y - frame.top + height * m.a - spare];
    const called = `${name(text)}: ${letter}`;
    return { name: called, box: measured, shape: shape(svg, measured), group: name(text), alike: "" };
  });
  const written = labels.flatMap(text =>
    text.hasAttribute("rotate") ? letters(text) : [part(text, { group: "", alike: "" })]);
  const lying = things.map(thing => part(thing, {
    group: group(thing),
    face: [...(thing.closest(".token")?.querySelectorAll(".inlay") ?? [])].map(box).at(-1),
    alike: thing.closest(".die, .mark")?.classList[0] ?? "", // round or leaning: boxes say nothing of them
  }));
  const found = [];
  // The edges of two piles may lie on one another, their faces may not.
  const discs = (one, other) =>
    Math.hypot(one[0] + one[2] - other[0] - other[2], one[1] + one[3] - other[1] - other[3]) <
    one[2] - one[0] + other[2] - other[0] - SLACK;
  // Two shapes lie apart if there is a line between them, which then runs along an edge of either.
  const shapes = (one, other) => [one, other].every(some => some.shape.every(([x, y], index) => {
    const [nx, ny] = some.shape[(index + 1) % some.shape.length];
    const [dx, dy] = [ny - y, x - nx].map(value => value / Math.hypot(nx - x, ny - y));
    const range = ({ shape }) => {
      const far = shape.map(([px, py]) => px * dx + py * dy);
      return [Math.min(...far), Math.max(...far)];
    };
    const [[a, b], [c, d]] = [range(one), range(other)];
    return Math.min(b, d) - Math.max(a, c) > SLACK;
  }));
  const touch = (one, other) => one.face && other.face ? discs(one.face, other.face) :
    one.turned || other.turned ? shapes(one, other) :
    Math.min(one.box[2], other.box[2]) - Math.max(one.box[0], other.box[0]) > SLACK &&
    Math.min(one.box[3], other.box[3]) - Math.max(one.box[1], other.box[1]) > SLACK;
  const all = [...written, ...lying];
  const upright = "g:not([transform]) > .shoulders, .chair:not([transform])"; // boxes say nothing of those that lean
  const bodies = [...svg.querySelectorAll(upright)].map(body => part(body, {}));
  for (const one of [...all, ...bodies]) {
    const [left, top, right, bottom] = one.box;
    if (left < -SLACK || top < -SLACK || right > frame.width + SLACK || bottom > frame.height + SLACK)
      found.push([one.name, "the edge"]);
  }
  for (const [index, one] of all.entries()) {
    for (const other of all.slice(index + 1)) {
      if ((one.group && one.group === other.group) || (one.alike && one.alike === other.alike)) continue;
      if (touch(one, other)) found.push([one.name, other.name]);
    }
  }
  for (const text of svg.querySelectorAll("text"))
    if (text.textContent.trim() && size(text) < 11) found.push([name(text), `${size(text).toFixed(1)} px`]);
  return found;
})"""


class Table(NamedTuple):
    """A generated table in one language, before the answer or as it should end."""

    name: str
    html: str


def every_table(game: str, count: int) -> Iterator[Table]:
    """So many tables, spread over rulebooks, topics, levels, languages and both moments."""
    subjects = [(book, topic) for book in RULEBOOKS if RULEBOOKS[book].game.id == game for topic in topics(book)]
    made = 0
    while made < count:
        book, topic = subjects[made % len(subjects)]
        turn = made // len(subjects)
        level = 1 + (made + turn) % 5
        scenario = generate(book, topic, f"table-{turn}", level)
        for language in languages(scenario):
            for moment, html in drawn(scenario, language, printed=level >= PRINTED_FROM).items():
                yield Table(f"{book} {topic} table-{turn} {level} {language} {moment}", html)
                made += 1


def languages(scenario: Scenario) -> tuple[str, ...]:
    """The two of the pages in turn, and the regulation's own where it is another."""
    own = scenario.book.language
    return ("pt", "en") if own in ("pt", "en") else ("pt", own)


def drawn(scenario: Scenario, language: str, *, printed: bool) -> dict[str, str]:
    with translation.override(language):
        asked = story(scenario, language, printed=printed)
        told = story(scenario, language, ruling=scenario.solve(), printed=printed)
        found = {"before": _html(asked.table)}
        if told.table_after is not None:
            found["after"] = _html(told.table_after)
    return found


def _html(table: Any) -> str:
    return render_to_string("table/table.html", {"table": table})


def troubles(page: Page, tables: list[Table], width: int) -> dict[str, list[list[str]]]:
    """All of them on one page, each as wide as on a screen of this width, measured in one go: for every table that has
    any, what touches what, and what is too small to be read."""
    page.set_viewport_size({"width": width, "height": 800})
    body = "".join(table.html for table in tables)
    page.set_content(f"<!doctype html><html lang=pt><style>{STYLE}</style><body><main>{body}</main>")
    found: list[list[list[str]]] = page.evaluate(MEASURE, SLACK)
    return {table.name: pairs for table, pairs in zip(tables, found, strict=True) if pairs}
