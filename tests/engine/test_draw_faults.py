"""Faults at the draw: what the golden cases cannot say. Where every card ends, what is not asked or not ruled."""

from typing import Any

import pytest

from rules_engine import rulebook
from rules_engine.compare import compare
from rules_engine.errors import ImpossibleFacts, NotRegulated
from rules_engine.games.baccarat.hands import lying
from rules_engine.ruling import Payment, Utterance
from tests.engine.coups import PT, SANREMO, SPAIN, STAKES, after, reasons, ruled, situation

TWO = {"kind": "banker_takes_two"}
SEVERAL = {"kind": "ponto_gets_several", "wish": "stand"}
FALSE_DRAW = {"kind": "ponto_false_draw"}


def test_pt_cdf_104_e_and_es_3_p3_2_differ_on_the_same_cards() -> None:
    facts = situation("no", "3s 4h", "Kd 4c", TWO, loose="9h 8s")
    found = compare(facts)
    assert (found.rulings[PT]["banker_score"], found.rulings[SPAIN]["banker_score"]) == (1, 2)
    assert "banker_score" in found.differing


def test_pt_cdf_104_e_burned_card_lies_apart_and_stakes_are_paid() -> None:
    ruling = ruled(PT, situation("no", "3s 4h", "Kd 4c", TWO, loose="9h 8s", next="2c", stakes=STAKES))
    paid = (Payment("bank", "3", 200), Payment("bank", "5", 100))
    assert after(ruling) == lying(
        ponto=("3s", "4h"), banker=("4c", "9h", "8s"), burned=("Kd",), shoe=("2c",), payments=paid
    )


def test_pt_cdf_104_e_no_question_about_cards_of_equal_value() -> None:
    ruling = ruled(PT, situation("no", "3s 4h", "2d 2c", TWO, loose="9h Qs"))
    assert ruling["banker_score"] == 1
    assert [decision.key for decision in ruling.decisions if decision.key.startswith("fate")] == []
    assert after(ruling).heap("burned") == ("2c",), "of two equal cards the last one goes"


def test_pt_cdf_104_e_banker_not_entitled_to_a_card_is_another_fault() -> None:
    facts = situation("no", "3s 4h", "2d 4c", TWO, loose="9h 8s")
    with pytest.raises(NotRegulated, match="entitled to a third card"):
        ruled(PT, facts)


def test_pt_cdf_104_h_third_cards_that_ask_different_things_of_the_banker() -> None:
    facts = situation("card", "2s Kd 4h 8c", "2c 3d", SEVERAL, next="Ac")
    with pytest.raises(NotRegulated, match="which of the two third cards"):
        ruled(PT, facts)


def test_pt_cdf_104_h_speaks_of_four_cards_only() -> None:
    with pytest.raises(NotRegulated, match="four cards"):
        ruled(PT, situation("card", "2s Kd 4h 8c 2d", "2c 5d", SEVERAL, next="Ac"))


def test_sanremo_69_s2_banker_keeps_all_four_cards() -> None:
    ruling = ruled(SANREMO, situation("no", "3s 4h", "Kd 4c", {"kind": "unasked_card"}, loose="9h 8s", next="2c"))
    assert after(ruling).heap("banker") == ("Kd", "4c", "9h", "8s")
    assert after(ruling).heap("burned") == ()


def test_sanremo_69_s3_banker_by_rule_who_must_draw_is_left_open() -> None:
    facts = situation("no", "3s 4h", "2d 3c", {"kind": "unasked_card"}, loose="9h", by_table=["banker"])
    with pytest.raises(NotRegulated, match="which card a banker playing by rule takes"):
        ruled(SANREMO, facts)


def test_sanremo_111_s2_unseen_card_is_kept_and_seen_one_burned() -> None:
    incident = {"kind": "unasked_card"}
    facts = situation("no", "Ks 7h", "3c 4d", incident, loose="5h 2c", hidden="loose.2", by_table=["banker"])
    assert (after(ruled(SANREMO, facts)).heap("burned"), after(ruled(SANREMO, facts)).heap("next_coup")) == (
        ("5h",),
        ("2c",),
    )


def test_sanremo_70_s3_the_card_nobody_gets_is_burned() -> None:
    ruling = ruled(SANREMO, situation("card", "2s Kd 7h 2c 5d", "3c 4d", SEVERAL, next="Ac"))
    ends = lying(ponto=("2s", "Kd", "7h"), banker=("3c", "4d", "5d"), burned=("2c",), shoe=("Ac",))
    assert after(ruling) == ends


def test_pt_cdf_71_burns_what_is_left_and_returns_nothing_to_the_shoe() -> None:
    facts = situation("card", "3s 4h 6d", "Kc 6h 2s", FALSE_DRAW, next="9c", stakes=STAKES)
    ends = after(ruled(PT, facts))
    assert (ends.heap("ponto"), ends.heap("banker")) == (("3s", "4h"), ("Kc", "6h"))
    assert (ends.heap("burned"), ends.heap("shoe")) == (("6d", "2s"), ("9c",))
    assert ends.payments == (Payment("bank", "3", 200), Payment("bank", "5", 100))


def test_pt_cdf_71_cards_of_the_shoe_serve_after_those_already_out() -> None:
    ends = after(ruled(PT, situation("no", "Ks 3h", "2c 2d 5h", FALSE_DRAW, next="Td 9c")))
    assert (ends.heap("ponto"), ends.heap("banker"), ends.heap("shoe")) == (
        ("Ks", "3h", "5h"),
        ("2c", "2d", "Td"),
        ("9c",),
    )


def test_pt_cdf_71_optional_cell_is_left_open_unless_the_banker_is_bound() -> None:
    facts: dict[str, Any] = {"ponto": "Ks 3h", "banker": "2c 3d 4h", "incident": FALSE_DRAW, "next": "Td"}
    with pytest.raises(NotRegulated, match="where the table leaves a choice"):
        ruled(PT, situation("no", **facts))
    bound = ruled(PT, situation("no", **facts, by_table=["banker"]))
    assert bound["banker_draw"] == "must_draw"


def test_pt_cdf_71_needs_a_fault() -> None:
    with pytest.raises(NotRegulated, match="nothing to restore"):
        ruled(PT, situation("no", "Ks 7h", "2c 3d", FALSE_DRAW))


def test_pt_cdf_71_shoe_without_a_card_for_the_draw() -> None:
    with pytest.raises(ImpossibleFacts, match="next: the shoe has no card left"):
        ruled(PT, situation("no", "Ks 3h", "3c 4d", FALSE_DRAW))


def test_sanremo_118_standing_on_baccara_is_not_free_and_not_settled() -> None:
    with pytest.raises(NotRegulated, match="standing on baccara"):
        ruled(SANREMO, situation("no", "Ks Qh", "3c 4d", FALSE_DRAW, claim="banco"))
    assert ruled(SANREMO, situation("no", "Ks Ah", "3c 4d", FALSE_DRAW, claim="banco"))["coup"] == "stands"


def test_sanremo_wrong_advice_is_not_regulated() -> None:
    with pytest.raises(NotRegulated, match="wrong advice"):
        ruled(SANREMO, situation("no", "Ks 3h", "3c 4d", FALSE_DRAW | {"advice": "stand"}, next="2c"))
    with pytest.raises(NotRegulated, match="wrong advice"):
        ruled(SANREMO, situation("no", "Ks 7h", "3c 4d 2h", {"kind": "banker_drew", "advice": "draw"}))


def test_pt_cdf_104_n_and_sanremo_110_s2_differ_on_a_card_that_hurts() -> None:
    facts = situation("card", "Ks Th 5d", "2c 4h 9d", {"kind": "banker_drew", "advice": "stand"})
    found = compare(facts)
    assert (found.rulings[PT]["fate.banker.3"], found.rulings[SANREMO]["fate.banker.3"]) == ("burned", "banker")


def test_pt_cdf_104_n_the_card_is_burned_and_the_bank_pays() -> None:
    incident = {"kind": "banker_drew", "advice": "stand"}
    ends = after(ruled(PT, situation("card", "Ks 4h 3d", "2c 3h 4d", incident, next="9c", stakes=STAKES)))
    assert (ends.heap("banker"), ends.heap("burned"), ends.heap("shoe")) == (("2c", "3h"), ("4d",), ("9c",))
    assert ends.payments == (Payment("bank", "3", 200), Payment("bank", "5", 100))


def test_sanremo_110_and_111_put_nothing_right_without_a_fault() -> None:
    followed = situation("no", "Ks 7h", "2c 4h", {"kind": "banker_drew", "advice": "stand"})
    by_rule = situation("no", "Ks 7h", "2c 4h", {"kind": "banker_drew"}, by_table=["banker"])
    for facts in (followed, by_rule):
        ruling = ruled(SANREMO, facts)
        assert (ruling["coup"], ruling["banker_draw"], ruling["winner"]) == ("stands", "must_stand", "ponto")


def test_sanremo_110_s1_the_card_he_should_have_taken_is_the_shoes_next() -> None:
    incident = {"kind": "banker_drew", "advice": "draw"}
    ends = after(ruled(SANREMO, situation("no", "Ks 7h", "Kc 5d", incident, next="3h 9c")))
    assert (ends.heap("banker"), ends.heap("shoe")) == (("Kc", "5d", "3h"), ("9c",))


def test_sanremo_110_s2_a_figure_changes_nothing_and_is_left_open() -> None:
    facts = situation("card", "Ks Th 5d", "2c 4h Kd", {"kind": "banker_drew", "advice": "stand"})
    with pytest.raises(NotRegulated, match="changes nothing"):
        ruled(SANREMO, facts)


def test_pt_cdf_banker_drew_needs_advice_or_the_table() -> None:
    with pytest.raises(ImpossibleFacts, match="neither asked for advice nor plays by the table"):
        situation("no", "Ks 7h", "2c 4h", {"kind": "banker_drew"})
    with pytest.raises(NotRegulated, match="false draw of the banker"):
        ruled(PT, situation("no", "Ks 7h", "2c 3h", {"kind": "banker_drew"}, by_table=["banker"]))
    assert ruled(PT, situation("no", "Ks 7h", "2c 4h", {"kind": "banker_drew", "advice": "stand"}))["coup"] == "stands"


def test_spain_decides_no_winner_without_a_drawing_table() -> None:
    held = situation("card", "2s Kd 7h", "4c 4d", {"kind": "banker_held_natural_back"})
    assert ruled(SPAIN, held).get("winner") is None
    assert ruled(SPAIN, situation("card", "2s 2d 9h 5c", "3c 4d", SEVERAL)).get("winner") is None


def test_spain_3_p6_1_is_about_a_natural() -> None:
    early = {"kind": "banker_showed_early", "uncovered": ["banker.1", "banker.2"]}
    with pytest.raises(NotRegulated, match="eight or nine"):
        ruled(SPAIN, situation(None, "2s Kd", "4c 3d", early))


def stated(side: str, said: int, **more: Any) -> dict[str, Any]:
    return {"kind": "score_stated", "side": side, "said": said, **more}


def test_sanremo_76_s1_needs_a_card_given_or_taken() -> None:
    with pytest.raises(NotRegulated, match="given or taken"):
        ruled(SANREMO, situation("no", "2s 5d", "2c 4d", stated("banker", 9)))
    with pytest.raises(NotRegulated, match="real score"):
        ruled(SANREMO, situation("no", "2s 5d", "2c 2d 3h", stated("banker", 7)))


def test_sanremo_119_is_about_a_sole_ponto() -> None:
    with pytest.raises(NotRegulated, match="sole ponto"):
        ruled(SANREMO, situation("no", "2s 5d", "2c 4d", stated("ponto", 9), stakes=STAKES))


def test_sanremo_76_s2_free_banker_who_says_baccara_with_more_may_draw() -> None:
    facts = situation("no", "2s 5d", "2c Ad", stated("banker", 0, wants_card=True), next="4h 9c")
    ruling = ruled(SANREMO, facts)
    assert (ruling["banker_draw"], ruling["winner"]) == ("may_choose", "tie")
    assert after(ruling).heap("shoe") == ("9c",)


@pytest.mark.parametrize(
    ("word", "ponto", "banker", "incident", "more", "reason"),
    [
        ("no", "3s 4h", "4d 4c", TWO, {"loose": "9h 8s"}, "shows gives and takes no third card"),
        ("no", "3s 4h", "Kd 4c", TWO, {"loose": "9h"}, "exactly two cards"),
        ("card", "3s 4h", "Kd 4c", TWO, {"loose": "9h 8s"}, "do not fit the ponto's word"),
        ("no", "2s 2d 9h 5c", "3c 4d", SEVERAL, {}, "did not ask for a card"),
        ("card", "2s 2d 9h", "3c 4d", SEVERAL, {}, "two or three more"),
        ("card", "2s 2d", "3c 4d", {"kind": "unasked_card"}, {"loose": "9h"}, "the ponto must have said no"),
        ("no", "4s 4d", "3c 4d", FALSE_DRAW, {}, "with a natural"),
        ("card", "2s 2d", "4c 4d", {"kind": "third_card_binned", "wish": "draw"}, {"loose": "9h"}, "gives no card"),
        (
            "card",
            "2s 2d 3h",
            "3c 4d",
            {"kind": "third_card_hidden", "act": "turned_over"},
            {},
            "the third card must lie face down: ponto",
        ),
        ("no", "2s 4d", "3c 4d", {"kind": "banker_held_natural_back"}, {}, "no natural to show"),
        ("no", "2s 4d", "3c 4d 2h", stated("banker", 4, wants_card=True), {"next": "4h"}, "on two cards"),
    ],
)
def test_impossible_facts_say_why(
    word: str, ponto: str, banker: str, incident: dict[str, Any], more: dict[str, Any], reason: str
) -> None:
    with pytest.raises(ImpossibleFacts, match=reason):
        situation(word, ponto, banker, incident, **more)


def test_sanremo_111_s1_ponto_by_rule_stands_on_five_even_with_third_parties() -> None:
    facts = situation("card", "2s 3h 4d", "Kc 6d", FALSE_DRAW, by_table=["ponto"], stakes=STAKES, next="2c")
    ruling = ruled(SANREMO, facts)
    assert (ruling["coup"], ruling["ponto_draw"]) == ("restored", "must_stand")
    assert "113 1-stand" in ruling.cites


@pytest.mark.parametrize(
    ("book", "more", "asked", "stood"),
    [
        (PT, {}, "64 b", "64 c"),
        (SANREMO, {"by_table": ["ponto"]}, "113 1-stand", "113 1-draw"),
    ],
)
def test_false_draw_cites_the_line_of_the_pontos_score(book: str, more: dict[str, Any], asked: str, stood: str) -> None:
    drew = situation("card", "2s 4h 9d", "3c 4d", FALSE_DRAW, next="Kc", **more)
    kept = situation("no", "2s 2h", "3c 4d", FALSE_DRAW, next="Kc", **more)
    assert {asked, stood} & set(ruled(book, drew).cites) == {asked}
    assert {asked, stood} & set(ruled(book, kept).cites) == {stood}


@pytest.mark.parametrize(("hidden", "told"), [("loose.1", "unseen_kept"), ("", "seen_cancelled")])
def test_sanremo_111_s2_says_whether_the_card_was_seen(hidden: str, told: str) -> None:
    facts = situation("no", "Ks 7h", "3c 4d", {"kind": "unasked_card"}, loose="5h", hidden=hidden, by_table=["banker"])
    assert reasons(ruled(SANREMO, facts))[told]


@pytest.mark.parametrize(
    ("word", "ponto", "said", "corrected"),
    [("card", "2s Kd 3h", 5, False), ("no", "2s 5d", 4, False), ("card", "2s Kd 3h", 4, True)],
)
def test_sanremo_76_s1_is_said_only_of_a_wrong_score_after_a_card(
    word: str, ponto: str, said: int, corrected: bool
) -> None:
    ruling = ruled(SANREMO, situation(word, ponto, "2c 3d", stated("banker", said, wants_card=True), next="4h"))
    assert (ruling.get("announcement") is not None) is corrected


def test_sanremo_76_s1_tempts_with_other_words_of_the_croupier_only() -> None:
    ruling = ruled(SANREMO, situation("card", "2s Kd 3h", "2c 3d 9h", stated("banker", 9)))
    formulas = rulebook(SANREMO).formulas
    decision = next(item for item in ruling.decisions if item.key == "announcement")
    offered = [said.formula for said in decision.tempting if isinstance(said, Utterance)]
    assert "cards_speak" not in offered
    assert all(formulas[name].by == "croupier" and "{" not in formulas[name].text["it"] for name in offered)


@pytest.mark.parametrize(
    ("shown", "hidden", "told"),
    [(True, "ponto.2 ponto.3", "ponto_third_face_up_all_the_same"), (False, "ponto.3", "ponto_third_face_up")],
)
def test_pt_cdf_68_holds_all_the_same_when_the_ponto_had_shown_a_card(shown: bool, hidden: str, told: str) -> None:
    incident = {"kind": "third_card_hidden", "act": "given_down", "one_uncovered": shown}
    assert reasons(ruled(PT, situation("card", "Ks 2h 5d", "3c 2d", incident, hidden=hidden))) == {told: True}


def test_sanremo_70_s3_is_only_about_more_than_one_card_left_over() -> None:
    two = ruled(SANREMO, situation("card", "2s Kd 7h 2c", "3c 4d", SEVERAL))
    three = ruled(SANREMO, situation("card", "2s Kd 7h 2c 5d", "3c 4d", SEVERAL))
    assert ("70 s3" in two.cites, "70 s3" in three.cites) == (False, True)
