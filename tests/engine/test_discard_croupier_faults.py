"""Cards binned too early and the croupier's slips: what the golden cases cannot say."""

from typing import Any

import pytest

from rules_engine.compare import compare
from rules_engine.errors import ImpossibleFacts, NotRegulated
from rules_engine.games.chemin_de_fer.table import Situation
from rules_engine.ruling import Payment
from tests.engine.coups import PT, SANREMO, SPAIN, STAKES, after, reasons, ruled, situation


def binned(by: str, stage: str, cards: list[str], first: bool = False) -> dict[str, Any]:
    return {"kind": "cards_binned", "by": by, "stage": stage, "cards": cards, "first_coup": first}


def test_pt_cdf_75_binned_cards_lie_with_the_discards_and_the_loser_pays() -> None:
    incident = binned("banker", "seen", ["banker.2"])
    ends = after(ruled(PT, situation("no", "Ks 5h", "4c 3d", incident, next="2c", stakes=STAKES)))
    assert (ends.heap("ponto"), ends.heap("banker"), ends.heap("burned"), ends.heap("shoe")) == (
        ("Ks", "5h"),
        ("4c",),
        ("3d",),
        ("2c",),
    )
    assert ends.payments == (Payment("bank", "3", 200), Payment("bank", "5", 100))


def test_pt_cdf_75_sanremo_62_spain_3_p7_on_a_card_all_had_seen() -> None:
    found = compare(situation("no", "Ks 5h", "4c 3d", binned("banker", "seen", ["banker.1"])))
    assert {book: ruling["winner"] for book, ruling in found.rulings.items()} == {
        PT: "ponto",
        f"{PT}-1995": "ponto",
        SANREMO: "ponto",
        SPAIN: "banker",
    }


def test_sanremo_62_first_coup_and_baccara_together_are_left_open() -> None:
    with pytest.raises(NotRegulated, match="which of its two exceptions"):
        ruled(SANREMO, situation("card", "Ks 5h 5d", "4c 3d", binned("banker", "unseen", ["banker.1"], True)))


def test_sanremo_62_s2_a_tie_moves_no_chips() -> None:
    facts = situation("card", "Ks 5h 5d", "4c 3d", binned("banker", "unseen", ["banker.1"]), stakes=STAKES)
    assert after(ruled(SANREMO, facts)).payments == ()


@pytest.mark.parametrize("book", [PT, SANREMO, SPAIN])
@pytest.mark.parametrize(
    ("banker", "duty"), [("2c 3h", "may_choose"), ("2c 4h", "may_choose"), ("3c 4h", "must_stand")]
)
def test_third_card_binned_limit_between_six_and_seven(book: str, banker: str, duty: str) -> None:
    facts = situation("card", "2s Kd", banker, {"kind": "third_card_binned", "wish": "stand"}, loose="5h", next="2d")
    ruling = ruled(book, facts)
    assert (ruling["ponto_score"], ruling["banker_draw"]) == (9, duty)
    assert after(ruling).heap("burned") == ("5h",)


def test_binning_by_others_is_not_in_the_spanish_text() -> None:
    with pytest.raises(NotRegulated, match="only of a banker"):
        ruled(SPAIN, situation("no", "Ks 5h", "4c 3d", binned("ponto", "unseen", ["ponto.1"])))


def wrong_word(said: str, repeated: str, ponto: str, banker: str, when: str = "after", **more: Any) -> Situation:
    calls = [{"by": "ponto", "says": said}, {"by": "croupier", "says": repeated}]
    return situation(None, ponto, banker, {"kind": "wrong_word_repeated", "corrected": when}, calls=calls, **more)


def test_no_for_card_is_regulated_at_sanremo_alone() -> None:
    found = compare(wrong_word("card", "no", "Ks 2h", "2c 4d", next="6h 2c"))
    assert set(found.rulings) == {SANREMO}
    assert set(found.silent) == {PT, f"{PT}-1995", SPAIN}


def test_card_for_no_with_nothing_out_needs_no_ruling() -> None:
    with pytest.raises(NotRegulated, match="no card has come out"):
        ruled(PT, wrong_word("no", "card", "Ks 7h", "2c 3d"))


def test_sanremo_137_s5_cards_out_against_a_ponto_with_five_are_left_open() -> None:
    with pytest.raises(NotRegulated, match="ponto with five"):
        ruled(SANREMO, wrong_word("no", "card", "2s 3h", "2c 3d", loose="4h"))


def test_words_that_agree_are_no_slip() -> None:
    with pytest.raises(ImpossibleFacts, match="one must have said card and the other no"):
        wrong_word("card", "card", "Ks 2h", "2c 4d")


def test_sanremo_132_needs_both_of_the_pontos_cards() -> None:
    one = {"kind": "croupier_exposed_cards", "cards": ["ponto.1"]}
    with pytest.raises(NotRegulated, match="the ponto's cards"):
        ruled(SANREMO, situation(None, "2s 5d", "2c 4d", one, stakes=STAKES, next="4d 3h"))


def test_sanremo_27_a_right_payment_is_not_in_dispute() -> None:
    incident = {"kind": "payment_disputed", "player": "3", "moved": 200, "binned": False, "settled": True}
    with pytest.raises(ImpossibleFacts, match="nothing is wrong"):
        situation("no", "Ks 7h", "2c 4d", incident, stakes=STAKES)
    with pytest.raises(ImpossibleFacts, match="4 has no stake"):
        situation("no", "Ks 7h", "2c 4d", incident | {"player": "4", "moved": 50}, stakes=STAKES)


UNSEEN, SEEN, ANNOUNCED = ("unseen", "seen", "announced")


@pytest.mark.parametrize(
    ("book", "by", "stage", "first", "expected"),
    [
        (PT, "banker", UNSEEN, False, {"only_croupier_bins": True, "binned_loses": True}),
        (PT, "ponto", SEEN, False, {"only_croupier_bins": True, "binned_loses_though_shown": True}),
        (PT, "croupier", SEEN, False, {"croupier_may_bin": False, "croupier_binned_early": True}),
        (PT, "croupier", ANNOUNCED, False, {"croupier_may_bin": False, "croupier_binned_in_time": True}),
        (SANREMO, "banker", UNSEEN, False, {"binned_loses": True, "binned_no_exception": False}),
        (SANREMO, "banker", UNSEEN, True, {"binned_loses": False, "first_coup_taken_back": True}),
        (SANREMO, "banker", ANNOUNCED, False, {"binned_score_settled": True}),
        (SANREMO, "croupier", UNSEEN, True, {"first_coup_taken_back": True}),
        (SANREMO, "croupier", ANNOUNCED, True, {"croupier_binned_in_time": True}),
        (SPAIN, "banker", SEEN, False, {"binned_after_seen": True}),
    ],
)
def test_binned_cards_give_their_reason(book: str, by: str, stage: str, first: bool, expected: dict[str, bool]) -> None:
    cards = ["ponto.1" if by == "ponto" else "banker.1"]
    assert reasons(ruled(book, situation("no", "Ks 5h", "4c 3d", binned(by, stage, cards, first)))) == expected


def test_sanremo_62_s2_baccara_is_what_the_case_turns_on() -> None:
    ruling = ruled(SANREMO, situation("card", "Ks 5h 5d", "4c 3d", binned("banker", UNSEEN, ["banker.1"])))
    assert reasons(ruling) == {"binned_loses": False, "binned_opponent_baccara": True}


EXPOSED = {"kind": "croupier_exposed_cards", "cards": ["ponto.1", "ponto.2"]}
BANCO_CALL = {"by": "4", "says": "banco"}
CLOSED = {"by": "croupier", "says": "closed"}


@pytest.mark.parametrize(("calls", "assigned"), [([], None), ([BANCO_CALL], "4"), ([BANCO_CALL, CLOSED], None)])
def test_sanremo_132_s1_banco_is_assigned_only_while_betting_was_open(calls: list[Any], assigned: str | None) -> None:
    stakes = [{"player": "4", "amount": 1000}]
    facts = situation(None, "2s 4h", "Kc 7d", EXPOSED, calls=calls, stakes=stakes, next="4d 3h")
    assert ruled(SANREMO, facts).get("cards_to") == assigned


@pytest.mark.parametrize(
    ("ponto", "banker", "told"),
    [
        ("2s 3h", "Kc 5d", ("exposed_ponto_must_stand", "exposed_banker_draws")),
        ("2s 2h", "3c 4d", ("exposed_ponto_must_draw", "exposed_banker_stands")),
    ],
)
def test_sanremo_132_s2_says_what_each_side_does(ponto: str, banker: str, told: tuple[str, ...]) -> None:
    ruling = ruled(SANREMO, situation(None, ponto, banker, EXPOSED, stakes=STAKES, next="4d 3h"))
    assert set(told) <= set(reasons(ruling))


def test_sanremo_133_reason_of_the_optional_cell_is_given_only_there() -> None:
    later = {"kind": "croupier_exposed_later"}
    optional = ruled(SANREMO, situation("card", "2s Kh 4d", "Kc 5d", later, next="3h"))
    plain = ruled(SANREMO, situation("card", "2s Kh 3d", "Kc 5d", later, next="3h"))
    assert "exposed_banker_stands" in reasons(optional)
    assert "exposed_banker_stands" not in reasons(plain)


@pytest.mark.parametrize(("when", "told"), [("before", "five_corrects"), ("after", "five_too_late")])
def test_sanremo_137_s5_says_whether_the_ponto_was_in_time(when: str, told: str) -> None:
    assert reasons(ruled(SANREMO, wrong_word("card", "no", "2s 3h", "2c 4d", when, next="4h"))) == {told: True}


def test_sanremo_137_s5_the_card_goes_where_the_valid_word_sends_it() -> None:
    takes = after(ruled(SANREMO, wrong_word("card", "no", "2s 3h", "2c 4d", "before", next="4h 9c")))
    stands = after(ruled(SANREMO, wrong_word("card", "no", "2s 3h", "2c 4d", "after", next="4h 9c")))
    assert (takes.heap("ponto"), takes.heap("shoe")) == (("2s", "3h", "4h"), ("9c",))
    assert (stands.heap("ponto"), stands.heap("shoe")) == (("2s", "3h"), ("4h", "9c"))


@pytest.mark.parametrize(
    ("binned_cards", "settled", "told", "moves"), [(True, True, "coup_over", 0), (True, False, "coup_not_over", 2)]
)
def test_sanremo_27_nothing_moves_once_the_coup_is_over(
    binned_cards: bool, settled: bool, told: str, moves: int
) -> None:
    incident = {"kind": "payment_disputed", "player": "3", "moved": 150, "binned": binned_cards, "settled": settled}
    ruling = ruled(SANREMO, situation("no", "Ks 7h", "2c 4d", incident, stakes=STAKES))
    assert reasons(ruling) == {told: True}
    assert len(after(ruling).payments) == moves
    assert after(ruling).heap("burned") == ("Ks", "7h", "2c", "4d")


@pytest.mark.parametrize(("banker", "told"), [("2c 4h", "binned_banker_may"), ("3c 4h", "binned_banker_stands")])
def test_third_card_binned_says_whether_the_banker_may_draw(banker: str, told: str) -> None:
    facts = situation("card", "2s Kd", banker, {"kind": "third_card_binned", "wish": "draw"}, loose="5h", next="2d 9c")
    ruling = ruled(PT, facts)
    assert reasons(ruling) == {"binned_gives_score": True, told: True}
    assert after(ruling).heap("shoe") == (("9c",) if told == "binned_banker_may" else ("2d", "9c"))
