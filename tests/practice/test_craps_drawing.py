"""The craps cloth: chips in the fields of their spots on both sheets, the dice, the marker, and the same in words."""

import pytest
from django.utils import translation
from msgspec import structs

from rules_engine import rulebook
from rules_engine.games.craps import layout
from rules_engine.games.craps.late_bets import BetWithDiceOut
from rules_engine.games.craps.resting_dice import DieCocked, DieOffCloth
from rules_engine.games.craps.table import Incident, Situation
from rules_engine.ruling import After, Payment
from tests.practice.craps_tables import bet, crowded, situation
from training.drawing import Drawing, table_view
from training.drawing.cloths.craps.cloth import LEAN
from training.drawing.cloths.craps.frame import LYING, UPRIGHT, Frame
from training.drawing.drawing import Sheet
from training.drawing.geometry import Box
from training.drawing.people import Person
from training.drawing.primitives import Die, Group, Label, Path
from training.drawing.tokens import Target, Token

FRAMES = pytest.mark.parametrize("frame", [UPRIGHT, LYING], ids=["upright", "lying"])


def tokens(sheet: Sheet, key: str) -> list[Token]:
    spots = [group for group in sheet.every(Group) if group.point == f"spot:{key}"]
    return [part for spot in spots for part in spot.parts if isinstance(part, Token)]


def drawn(drawing: Drawing) -> list[tuple[Frame, Sheet]]:
    upright, lying = drawing.sheets
    assert (upright.kind, lying.kind) == ("upright", "lying")
    return [(UPRIGHT, upright), (LYING, lying)]


def within(token: Token, box: Box) -> bool:
    across = box.left <= token.x - token.width // 2 and token.x + token.width // 2 <= box.right
    return across and box.top <= token.y - token.height // 2 and token.y + token.height // 2 <= box.bottom


@FRAMES
def test_every_spot_has_a_field_of_its_own(frame: Frame) -> None:
    assert set(frame.fields) == set(layout.SPOTS)
    boxes = [*frame.fields.values(), *map(frame.number, layout.BOXES)]
    for index, one in enumerate(boxes):
        assert not any(one.touches(other) for other in boxes[index + 1 :])


@FRAMES
@pytest.mark.parametrize("key", layout.SPOTS)
def test_chips_lie_in_the_field_of_their_spot(frame: Frame, key: str) -> None:
    if key in ("come.9", "dont-come.9", "come-odds.9", "dont-come-odds.9"):
        return  # nothing lies there while 9 is the point
    parents = [bet("1", key.replace("-odds", ""), 3)] if "-odds" in key else []
    table = situation(bets=(*parents, bet("1", key, 3)))
    (sheet,) = [sheet for one, sheet in drawn(table_view(table)) if one is frame]
    (token,) = tokens(sheet, key)
    assert within(token, frame.chips(key))
    assert abs(token.x - frame.chips(key).middle.x) <= 1
    assert (token.place, token.count, token.worth) == ("1", 3, "500")


@pytest.mark.parametrize("seed", range(30))
def test_crowded_tables_have_every_bet_once_and_none_on_another(seed: int) -> None:
    table = crowded(seed)
    for frame, sheet in drawn(table_view(table)):
        found = sheet.every(Token)
        assert len(found) == len(table.bets)
        boxes = [Box(t.x - 13, t.y - 14, t.x + 13, t.y + 14) for t in found]
        for index, one in enumerate(boxes):
            assert not any(one.touches(other) for other in boxes[index + 1 :])
        for key in {lying.spot for lying in table.bets}:
            held = [token for token in tokens(sheet, key) if within(token, frame.fields[key])]
            assert held


def test_chips_that_a_field_has_no_room_for_are_tied_to_it() -> None:
    table = situation(seats=(1, 2, 3, 4, 5), bets=tuple(bet(str(player), "come.4") for player in range(1, 6)))
    for frame, sheet in drawn(table_view(table)):
        outside = [token for token in tokens(sheet, "come.4") if not within(token, frame.fields["come.4"])]
        assert len([path for path in sheet.every(Path) if path.kind == "tie"]) == len(outside) > 0


@pytest.mark.parametrize(("dice", "shown"), [((), []), ((4, 2), [4, 2])])
def test_the_dice_show_the_throw(dice: tuple[int, ...], shown: list[int]) -> None:
    incident = {"kind": "closing_near", "minutes": 9}
    table = rulebook("pt-craps").situation(seats=[1], minimum=500, dice=dice, incident=incident)
    for _, sheet in drawn(table_view(table)):
        assert [die.face for die in sheet.every(Die)] == shown
        assert [label.text for label in sheet.every(Label) if label.kind == "sign-number"] == (["6"] if shown else [])


def puck(sheet: Sheet) -> tuple[str, Label]:
    (found,) = (group for group in sheet.every(Group) if group.kind.startswith("puck"))
    return found.kind, next(part for part in found.parts if isinstance(part, Label))


def test_the_marker_stands_on_the_point_or_lies_dark_beside_the_cloth() -> None:
    for frame, sheet in drawn(table_view(situation(point=6))):
        kind, label = puck(sheet)
        number = frame.number(6)
        assert (kind, label.text) == ("puck on", "ON")
        assert number.left < label.x < number.right and number.top < label.y < number.bottom
    for _, sheet in drawn(table_view(situation(point=None))):
        assert puck(sheet)[0] == "puck off"
    for _, sheet in drawn(table_view(situation(point=6), after=After(marks={"marker": "off"}))):
        assert puck(sheet)[0] == "puck off"
    for frame, sheet in drawn(table_view(situation(point=None), after=After(marks={"marker": "8"}))):
        assert abs(puck(sheet)[1].x - frame.number(8).middle.x) < frame.column // 2


def settle(table: Situation) -> After:
    book = rulebook("pt-craps")
    facts = {name: getattr(table, name) for name in ("seats", "minimum", "point", "dice")}
    bets = [structs.asdict(lying) for lying in table.bets]
    after = book.rule(book.situation(**facts, bets=bets, incident={"kind": "throw_to_pay"})).after
    assert after is not None
    return after


def test_in_the_end_come_bets_lie_on_their_number_and_dont_come_carries_a_mark() -> None:
    table = situation(point=9, dice=(3, 1), bets=(bet("1", "come"), bet("3", "dont-come"), bet("3", "come.4")))
    drawing = table_view(table, after=settle(table))
    for frame, sheet in drawn(drawing):
        assert not tokens(sheet, "come") and not tokens(sheet, "dont-come")
        assert {(token.place, token.kind, token.worth) for token in tokens(sheet, "come.4")} == {
            ("1", "token", "500"),
            ("3", "token won", "+500"),
        }
        (against,) = tokens(sheet, "dont-come.4")
        assert against.kind == "token marked" and within(against, frame.fields["dont-come.4"])
    with translation.override("pt"):
        words = table_view(table, after=settle(table)).words
    assert "As fichas que estavam em come ficam em come 4." in words
    assert "No fim, a marca está no 9." in words


def test_winners_show_their_prize_and_losers_are_collected() -> None:
    table = situation(dice=(3, 4), bets=(bet("1", "pass", 2), bet("3", "total.7"), bet("4", "hard.8")))
    for _, sheet in drawn(table_view(table, after=settle(table))):
        assert {(token.worth, token.kind) for token in sheet.every(Token)} == {
            ("500", "token lost"),
            ("+2k", "token won"),
        }
        assert [label.text for label in sheet.every(Label) if label.kind == "prize"] == ["+2k"]


def test_targets_are_there_only_when_asked_for() -> None:
    assert all((sheet.every(Target), sheet.role) == ([], "img") for _, sheet in drawn(table_view(situation())))
    for _, sheet in drawn(table_view(situation(), pointing="spot")):
        targets = sheet.every(Target)
        assert sorted(target.point for target in targets) == sorted(f"spot:{key}" for key in layout.SPOTS)
        assert [target.first for target in targets].count(True) == 1
        assert len({target.name for target in targets}) == len(targets)


def test_everybody_has_a_place_from_the_stickman_on_and_the_shooter_a_ring() -> None:
    table = situation(seats=(1, 3, 8), standing=("3a",), shooter="3")
    for frame, sheet in drawn(table_view(table)):
        people = sheet.every(Person)
        assert [person.place for person in people] == ["1", "2", "3", "3a", "4", "5", "6", "7", "8"]
        assert [person.place for person in people if person.ring] == ["3"]
        along = [person.y if frame.upright else person.x for person in people]
        assert along == sorted(along)


def test_the_table_is_told_in_words() -> None:
    table = situation(seats=(1, 3), bets=(bet("3", "to-win.6", 6), bet("3", "field")), shooter="3")
    after = After(payments=(Payment("house", "3", 3_500, "to-win.6"),), marks={"marker": "off"})
    with translation.override("pt"):
        words = table_view(table, currency="PTE", after=after).words
    assert words == [
        "O «bar» é o par de senas.",
        "O ponto é o 9.",
        "Quem lança é o jogador do lugar 3.",
        "Saiu 2-1, total 3.",
        "Lugar 1; sem aposta.",
        "Lugar 3; 6 fichas de 500$00: aposta a favor do 6, ganha 3\N{NO-BREAK SPACE}500$00; 1 ficha de 500$00: field.",
        "Lugares desocupados: 2, 4, 5, 6, 7, 8.",
        "No fim, não há ponto.",
    ]


def test_what_a_step_turned_on_is_lit() -> None:
    table = situation(bets=(bet("4", "come.6"), bet("1", "field")))
    for _, sheet in drawn(table_view(table, lit=["spot:come.6", "1"])):
        assert [group.point for group in sheet.every(Group) if group.lit] == ["spot:come.6"]
        assert [token.place for token in sheet.every(Token) if token.lit] == ["1"]


@pytest.mark.parametrize(
    ("incident", "faces", "total"),
    [
        (DieCocked(lies="flat", against="chips"), [3, 4], True),
        (DieCocked(lies="leaning", against="cushion"), [3, 4], True),
        (DieCocked(lies="edge", against="chips", between=5), [3, 0], False),
        (DieOffCloth(where="rail"), [3, 4], True),
    ],
)
def test_a_die_on_an_edge_shows_no_face_and_no_total(incident: Incident, faces: list[int], total: bool) -> None:
    table = structs.replace(situation(dice=(3, 4)), incident=incident)
    flat = LEAN[1]
    for _frame, sheet in drawn(table_view(table)):
        dice = list(sheet.every(Die))
        assert [die.face for die in dice] == faces
        assert (dice[1].turn == flat) == (getattr(incident, "lies", "flat") == "flat")
        assert any(label.text == "7" and label.kind == "sign-number" for label in sheet.every(Label)) == total


def test_a_die_on_an_edge_is_told_in_words() -> None:
    table = structs.replace(situation(dice=(3, 4)), incident=DieCocked(lies="edge", against="chips", between=5))
    with translation.override("pt"):
        told = " ".join(table_view(table).words)
    assert "aresta, entre 4 e 5" in told and "total" not in told


def test_a_late_bet_lies_on_its_spot_until_it_is_given_back() -> None:
    incident = BetWithDiceOut(player="3", chance="field", count=2, value=500, when="in_air")
    table = structs.replace(situation(dice=(4, 5)), incident=incident)
    for decided, shown in ((None, 1), ("allowed", 1), ("refused", 0)):
        after, results = (After(), {"allowed": decided}) if decided else (None, {})
        for _frame, sheet in drawn(table_view(table, after=after, decided=results)):
            assert len([token for token in sheet.every(Token) if token.place == "3"]) == shown
