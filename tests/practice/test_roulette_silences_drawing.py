"""The roulette cloth where the law is silent: a ball or chips that are not where they should be, until the ruling."""

from rules_engine.games.roulette.silent_chips import BetClaimed, ChipBetween
from rules_engine.games.roulette.silent_spins import BallLeftWheel, WrongNumberCalled
from rules_engine.ruling import After, Payment
from tests.practice.roulette_tables import bet, situation
from tests.practice.test_roulette_drawing import drawn, tokens
from training.drawing import table_view
from training.drawing.primitives import Ellipse
from training.drawing.tokens import Token


def test_the_ball_is_drawn_where_it_lies_and_the_marker_on_the_number_called() -> None:
    called = WrongNumberCalled(called=18, lies=17, noticed="collected")
    table = situation(bets=(bet("1", "17"), bet("3", "18")), incident=called)
    drawing = table_view(table)
    assert "O marcador está no 18." in drawing.words
    for _frame, sheet in drawn(drawing):
        assert not tokens(sheet, "17") and tokens(sheet, "18")  # what seemed to lose is collected
        assert "ball" in {part.kind for part in sheet.every(Ellipse)}
    lifted = situation(bets=(bet("1", "17"),), incident=WrongNumberCalled(called=18, lies=17, noticed="lifted"))
    for _frame, sheet in drawn(table_view(lifted)):
        assert "ball" not in {part.kind for part in sheet.every(Ellipse)}


def test_a_ball_that_jumped_out_lies_on_the_cloth_until_the_ruling() -> None:
    table = situation(incident=BallLeftWheel(came="cloth"))
    drawing = table_view(table)
    assert "A bola está em cima do pano." in drawing.words
    assert all("ball" in {part.kind for part in sheet.every(Ellipse)} for _frame, sheet in drawn(drawing))
    after = table_view(table, after=After(marks={"ball": "8"}))
    assert "A bola está em cima do pano." not in after.words


def test_chips_that_two_players_claim_belong_to_nobody_until_the_ruling() -> None:
    claim = BetClaimed(first="1", second="3", spot="17-20", count=2, value=500, saw="nobody", recording="nobody")
    table = situation(number=17, incident=claim)
    drawing = table_view(table, currency="PTE")
    assert any(line.startswith("Fichas que dois jogadores reclamam") and "000$00" in line for line in drawing.words)
    for _frame, sheet in drawn(drawing):
        assert [(token.place, token.count) for token in sheet.every(Token)] == [("?", 2)]
    shared = (Payment("house", "1", 8_500, "17-20"), Payment("house", "3", 8_500, "17-20"))
    for _frame, sheet in drawn(table_view(table, after=After(payments=shared, marks={"marker": "17"}))):
        assert {(token.place, token.count) for token in tokens(sheet, "17-20")} == {("1", 1), ("3", 1)}


def test_chips_between_two_spots_lie_nearer_to_the_one_with_the_larger_part() -> None:
    for larger, nearer in (("spot", "17"), ("other", "17-20")):
        chips = {"player": "1", "spot": "17", "other": "17-20", "count": 1, "value": 500}
        incident = ChipBetween(**chips, larger=larger, meant="spot", when="rolling")  # type: ignore[arg-type]
        for frame, sheet in drawn(table_view(situation(number=20, incident=incident))):
            (token,) = sheet.every(Token)
            far = {key: abs(frame.spot(key).x - token.x) + abs(frame.spot(key).y - token.y) for key in ("17", "17-20")}
            assert min(far, key=far.__getitem__) == nearer
