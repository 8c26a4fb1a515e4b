"""The drawing of gaming machines: every panel and person once, nothing over anything else, the same in words."""

import re
from typing import Any

import pytest
from django.template.loader import render_to_string
from django.utils import translation

from rules_engine import generate, rulebook, topics
from rules_engine.games.machines.books import MACHINES
from rules_engine.narration import narrate
from rules_engine.silences import TOPIC
from training.drawing import Drawing, table_view
from training.drawing.chips import written
from training.drawing.cloths.machines.panel import WIDE
from training.drawing.drawing import Sheet
from training.drawing.geometry import Box
from training.drawing.people import Person
from training.drawing.primitives import Group, Label, Rect, Symbol
from training.drawing.tokens import Target

# How wide a letter comes at most, by the kind of label: see table.css.
LETTERS = {
    "cabinet-number": 16,
    "cabinet-name": 7,
    "meter-name large": 11,
    "meter-sum large": 14,
    "window-out": 9,
    "display-name": 6.6,
    "display-value": 8.5,
    "display-value hot": 8.5,
    "paper-title": 10,
    "paper-name": 7,
    "paper-value": 13,
    "prize": 9,
}


def view(incident: dict[str, Any], machines: list[dict[str, Any]], **facts: Any) -> Drawing:
    drawn = {name: facts.pop(name) for name in ("lit", "pointing") if name in facts}
    book = rulebook(MACHINES)
    situation = book.situation(machines=machines, incident=incident, **facts)
    return table_view(situation, currency="PTE", after=book.rule(situation).after, **drawn)


def machine(number: int, **facts: Any) -> dict[str, Any]:
    return {"number": number, "model": "caravela", "stake": 500, "player": str(number), **facts}


PLAN = {"kind": "plan_submitted", "played": 100, "prizes": 80}
SHOWN = {"kind": "prizes_shown"}


def box(label: Label) -> Box:
    wide = label.wide or round(LETTERS[label.kind] * len(label.text))
    left = {"start": label.x, "end": label.x - wide}.get(label.anchor or "", label.x - wide // 2)
    return Box(left, label.y - 11, left + wide, label.y + 3)


def labels(sheet: Sheet) -> list[Label]:
    return [label for label in sheet.every(Label) if label.kind in LETTERS]


def generated() -> list[Drawing]:
    found = []
    for topic in topics(MACHINES):
        for seed in range(20):
            scenario = generate(MACHINES, topic, f"drawn-{seed}", 1 + seed % 5)
            ends = (None, scenario.solve().after)
            found += [table_view(scenario.situation, currency="PTE", after=end, pointing="spot") for end in ends]
    return found


@pytest.mark.parametrize("language", ["pt", "en"])
def test_no_label_lies_over_another_or_out_of_the_picture(language: str) -> None:
    with translation.override(language):
        for drawing in generated():
            for sheet in drawing.sheets:
                left, top, wide, high = map(int, sheet.view_box.split())
                window = Box(left, top, left + wide, top + high)
                found = [(label.text, box(label)) for label in labels(sheet)]
                for index, (text, one) in enumerate(found):
                    assert one.left >= window.left and one.right <= window.right, text
                    assert one.top >= window.top and one.bottom <= window.bottom, text
                    over = [other for other, there in found[index + 1 :] if one.touches(there)]
                    assert not over, (text, over)


def test_sums_as_large_as_facts_may_be_stay_in_their_cabinet() -> None:
    large, most = 10_000_000, 999_999_999
    facts = machine(1, stake=100_000, pays_up_to=large, credits=large, prize=large, jackpot=most, linked=True)
    facts |= {"tokens_in": large, "prizes_paid": large, "tokens_kept": large}
    for sheet in view(SHOWN, [facts], seats=[1], superjackpot=most).sheets:
        (middle,) = [label.x for label in sheet.every(Label) if label.kind == "cabinet-number"]
        inside = [label for group in sheet.every(Group) for label in group.parts if isinstance(label, Label)]
        for label in (label for label in inside if label.kind in LETTERS):
            assert middle - WIDE // 2 <= box(label).left and box(label).right <= middle + WIDE // 2, label.text


def test_every_machine_and_everybody_is_drawn_once() -> None:
    for drawing in generated():
        for sheet in drawing.sheets:
            cabinets = [group.point for group in sheet.every(Group) if group.kind == "cabinet"]
            assert len(set(cabinets)) == len(cabinets)
            assert [target.point for target in sheet.every(Target)] == cabinets
            people = [person.place for person in sheet.every(Person)]
            assert len(set(people)) == len(people)


def test_people_do_not_stand_on_one_another() -> None:
    row = [machine(number) for number in range(1, 6)]
    standing = ["2a", "2b", "3a"]
    for sheet in view(PLAN, row, seats=[1, 2, 3, 4, 5], standing=standing).sheets:
        people = sheet.every(Person)
        assert {person.place for person in people} == {*"12345", *standing}
        for index, one in enumerate(people):
            for other in people[index + 1 :]:
                assert (one.x - other.x) ** 2 + (one.y - other.y) ** 2 > 34**2, (one.place, other.place)


def test_targets_are_there_only_when_asked_for() -> None:
    row = [machine(1), machine(2)]
    for sheet in view(PLAN, row, seats=[1, 2]).sheets:
        assert (sheet.every(Target), sheet.role) == ([], "img")
    with translation.override("pt"):
        for sheet in view(PLAN, row, seats=[1, 2], pointing="spot").sheets:
            targets = sheet.every(Target)
            assert [(target.name, target.first) for target in targets] == [("máquina 1", True), ("máquina 2", False)]
            assert all(target.width == WIDE for target in targets)


def test_what_a_step_turned_on_is_lit() -> None:
    for sheet in view(PLAN, [machine(1), machine(2)], seats=[1, 2], lit=["spot:2", "1"]).sheets:
        assert [group.point for group in sheet.every(Group) if group.lit] == ["spot:2"]
        assert [person.place for person in sheet.every(Person) if person.lit] == ["1"]


def test_a_panel_shows_what_came_up_and_what_it_can_pay() -> None:
    row = [machine(1, prize=250, credits=3, pays_up_to=200), machine(2, jackpot=90_000, won="jackpot")]
    with translation.override("pt"):
        for sheet in view(SHOWN, row, seats=[1, 2]).sheets:
            texts = [label.text for label in sheet.every(Label)]
            assert [texts[texts.index(name) + 1] for name in ("Prémio", "Créditos", "Paga até")] == ["250", "3", "200"]
            assert len([rect for rect in sheet.every(Rect) if rect.kind == "meter won"]) == 2  # the prize, the jackpot
            assert len([rect for rect in sheet.every(Rect) if rect.kind == "pay-line"]) == 2
            assert len([rect for rect in sheet.every(Rect) if rect.kind == "lamp lit-up"]) == 2
            assert [label.text for label in sheet.every(Label) if label.kind == "prize"] == [
                "+125\N{NARROW NO-BREAK SPACE}000 pelo caixa",
                "+90\N{NARROW NO-BREAK SPACE}000",
            ]


@pytest.mark.parametrize("prize", [0, 5, 10, 39, 250, 1_600])
@pytest.mark.parametrize("model", ["caravela", "dama"])
def test_the_glass_shows_a_win_only_if_something_is_won(model: str, prize: int) -> None:
    """The facts name a prize, but no plan of prizes: no other sum is written on the machine."""
    facts = machine(1, model=model, prize=prize, pays_up_to=777)
    situation = rulebook(MACHINES).situation(machines=[facts], incident=SHOWN if prize else PLAN, seats=[1])
    for sheet in table_view(situation, currency="PTE").sheets:
        lines = [rect for rect in sheet.every(Rect) if rect.kind == "pay-line"]
        assert len(lines) == (prize > 0)
        figures = {label.text for label in sheet.every(Label) if re.fullmatch(r"[\d\s]+", label.text)}
        on_cards = {label.text for label in sheet.every(Label) if label.kind.startswith("reel-rank")}
        assert figures - on_cards <= {"1", "0", written(prize), "777"}
        if prize and model == "caravela":
            signs = {sign.name for sign in sheet.every(Symbol) if sign.kind == "reel-sign" and _on(sign, lines[0])}
            assert len(signs) == 1


def _on(sign: Symbol, line: Rect) -> bool:
    middle = sign.x + sign.width // 2, sign.y + sign.height // 2
    return line.x <= middle[0] <= line.x + line.width and line.y <= middle[1] <= line.y + line.height


def test_registers_are_drawn_once_they_are_read() -> None:
    read = {"tokens_in": 48_210, "prizes_paid": 41_380, "tokens_kept": 6_830}
    with translation.override("pt"):
        for sheet in view(PLAN, [machine(1, **read)], seats=[1]).sheets:
            texts = [label.text for label in sheet.every(Label)]
            shown = [texts[texts.index(name) + 1] for name in ("Entradas", "Prémios pagos", "Arrecadadas")]
            assert shown == [*map(written, read.values())]
        for sheet in view(PLAN, [machine(1)], seats=[1]).sheets:
            assert "Entradas" not in [label.text for label in sheet.every(Label)]


def test_a_claim_sets_what_is_claimed_against_the_record() -> None:
    claim = {"kind": "claim_made", "machine": 1, "about": "prize", "claimed": 400, "recorded": 380, "handed": 100}
    with translation.override("pt"):
        drawing = view(claim, [machine(1), machine(2)], seats=[1, 2])
    assert drawing.focus == ["spot:1"]
    for sheet in drawing.sheets:
        figures = [label.text for label in sheet.every(Label) if label.kind in ("paper-title", "paper-value")]
        assert figures == ["Reclamação na máquina 1", "400", "380", "100"]
    assert not [label for label in view(PLAN, [machine(1)], seats=[1]).sheets[0].every(Label) if "paper" in label.kind]


def test_somebody_at_two_machines_is_told_at_the_second() -> None:
    row = [machine(1), machine(2, player="1"), machine(3, player=None, out=True)]
    with translation.override("en"):
        drawing = view(PLAN, row, seats=[1])
        for sheet in drawing.sheets:
            assert [label.text for label in sheet.every(Label) if label.kind == "prize"] == ["used by 1"]
            assert [person.place for person in sheet.every(Person) if person.taken] == ["1"]
            assert "Out of service" in [label.text for label in sheet.every(Label)]
        assert "played by player 1" in drawing.words[1]


def test_the_row_in_words() -> None:
    row = [machine(1, prize=250, credits=1, pays_up_to=200), machine(2, linked=True, won="superjackpot")]
    with translation.override("en"):
        told = view(SHOWN, row, seats=[1, 2], standing=["2a"], superjackpot=1_000_000).words
    assert told == [
        "Machine 1: reels, model Caravela; stake 500 escudos; played by player 1; prize of 250 tokens; 1 credit; "
        "pays up to 200 tokens.",
        "Machine 2: reels, model Caravela; stake 500 escudos; played by player 2; linked for the superjackpot; "
        "the panel shows the superjackpot; pays up to 200 tokens.",
        "Superjackpot of the linked machines: 1,000,000 escudos.",
        "Guest 2a, by machine 2.",
        "The cashier pays player 1 125,000 escudos.",
        "The cashier pays player 2 1,000,000 escudos.",
    ]


def test_the_page_has_no_inline_style_or_script() -> None:
    page = render_to_string("table/table.html", {"table": view(SHOWN, [machine(1, prize=1)], seats=[1])})
    assert 'class="table-drawing machines lying whole"' in page
    assert not re.search(r"<script|\sstyle=|\son\w+=", page)


def test_after_a_power_cut_the_panel_shows_what_the_machine_shows_now() -> None:
    seen = set()
    for seed in range(40):
        scenario = generate("pt-maquinas", TOPIC, f"power {seed}", 1 + seed % 5, article="power_cut")
        facts = scenario.situation
        incident: Any = facts.incident
        with translation.override("en"):
            told = table_view(facts, asking=True, rulebook="pt-maquinas").words
        line = next(line for line in told if line.startswith(f"Machine {incident.machine}:"))
        seen.add(bool(incident.back))
        assert (f"prize of {incident.back} token" in line) == bool(incident.back), line
        assert ("prize of" in line) == bool(incident.back), line
    assert seen == {True, False}


def test_a_jackpot_to_be_checked_is_only_what_the_panel_shows() -> None:
    for seed in range(10):
        scenario = generate("pt-maquinas", TOPIC, f"jackpot {seed}", 3, article="jackpot_unrecorded")
        story = narrate(scenario.situation, scenario.book, "en")
        (told,) = (line for line in story if "jackpot" in line and "come up" in line)
        assert "the panel shows" in told
