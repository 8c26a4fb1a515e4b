"""Generated scenarios are worth practising on: not to be guessed, harder at a higher level, and of many kinds."""

from collections import Counter

import pytest
from msgspec.structs import replace

from rules_engine import GAMES, RULEBOOKS, generate, topics
from rules_engine.__main__ import main
from rules_engine.citations import combined
from rules_engine.difficulty import LEAST_COMBINED, Combined, Level, combined_at, kinds_at, no_harder, too_easy
from rules_engine.guessing import WANTED, Prediction, form, predictions
from rules_engine.idle import Offer, idle, offers
from rules_engine.pool import Drawn, Pool
from rules_engine.quality import (
    END,
    ENOUGH,
    LEAST_PER_LEVEL,
    MOST_PER_CASE,
    PER_CASE,
    START,
    Guess,
    TopicQuality,
    document,
    quality,
    shortcomings,
    structure,
    topic_quality,
)
from rules_engine.questions import Question
from rules_engine.ruling import Decision, Ruling
from rules_engine.situation import kind_of
from rules_engine.topics import cases
from tests.samples import sample


@pytest.mark.parametrize("book", RULEBOOKS)
def test_no_topic_falls_short(book: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With few cases only what is certain counts; all of it with SABOT_FULL=1."""
    monkeypatch.setattr("rules_engine.quality.LEAST_PER_LEVEL", sample(60, LEAST_PER_LEVEL))
    monkeypatch.setattr("rules_engine.quality.ENOUGH", sample(20, ENOUGH))
    monkeypatch.setattr("rules_engine.guessing.WANTED", sample(50, WANTED))
    measured = quality(book, per_case=sample(5, PER_CASE), most_per_case=sample(160, MOST_PER_CASE))
    assert [line for found in measured for line in shortcomings(found, RULEBOOKS[book])] == []
    assert idle((offer for found in measured for offer in found.offers), RULEBOOKS[book]) == []
    assert no_harder(RULEBOOKS[book].game, {found.topic: found.levels for found in measured}) == []


def test_an_option_that_is_never_right_is_found() -> None:
    book = RULEBOOKS["pt-craps"]
    never, once = Offer("shooter_sought shooter", "nobody", 400, right=0), Offer("allowed", "refused", 400, right=1)
    assert idle([never, once, replace(once, right=0)], book) == [
        "shooter_sought shooter nobody: offered 400 times and never right"
    ]
    assert idle([replace(never, offered=399)], book) == []


def test_an_option_counts_as_offered_whether_or_not_it_is_right() -> None:
    drawn = [_drawn(number, right="allowed") for number in range(3)]
    assert offers(RULEBOOKS["pt-craps"], drawn) == (
        Offer("allowed", "allowed", offered=3, right=3),
        Offer("allowed", "refused", offered=3, right=0),
    )


def test_figures_do_not_make_another_phrase() -> None:
    book = RULEBOOKS["pt-chemin-de-fer"]
    assert form("Bancô de 1 200 euros", book) == form("Bancô de 80 euros", book) == "Bancô de # euros"
    assert form("Bacará no ponto, 4 na banca", book) == form("7 no ponto, 4 na banca", book)


class _Told:
    """A pool in which every draw counts once."""

    book, topic = RULEBOOKS["pt-craps"], "line"

    def weight(self, one: Drawn) -> float:
        return 1.0


def _drawn(number: int, *, right: str, others: tuple[str, ...] = (), level: int = 1) -> Drawn:
    """A draw with one choice to make, and other questions beside it."""
    case = cases("pt-craps", "line")[0]
    situation = generate("pt-craps", "line", number).situation
    decision = Decision(key="allowed", kind="choice", value=right)
    ruling = Ruling(rulebook="pt-craps", steps=(), decisions=(decision,))
    questions = (Question("allowed", "choice", ("allowed", "refused")), *(Question(key, "amount") for key in others))
    return Drawn(case, level, number, situation, ruling, questions, "told", 1.0, disputed=False)


def _told(drawn: list[Drawn]) -> Prediction:
    return predictions(_Told(), drawn)["told", "allowed"]  # type: ignore[arg-type]


def test_questions_that_tell_the_answer_are_found() -> None:
    answers = ["allowed", "refused", "refused", "allowed"] * 100
    fair = _told([_drawn(number, right=right, others=("due",) * (number % 2)) for number, right in enumerate(answers)])
    assert fair.cases == 400 and not fair.too_good and not fair.doubtful
    told = [_drawn(number, right=right, others=("due",) * (right == "allowed")) for number, right in enumerate(answers)]
    found = _told(told)
    assert (found.constant, found.share, found.too_good) == (0.5, 1.0, True)
    assert "questions «allowed» → «refused» (100 of 100)" in found.told_by


def test_a_level_that_tells_the_answer_is_found() -> None:
    answers = ["allowed", "refused", "refused", "allowed"] * 100
    found = _told([_drawn(n, right=right, level=5 if right == "refused" else 2) for n, right in enumerate(answers)])
    assert found.too_good and "by level" in found.told_by


def test_one_frequent_answer_is_no_prediction() -> None:
    """That is what the share of the most frequent answer measures."""
    found = _told([_drawn(number, right="refused" if number % 4 < 3 else "allowed") for number in range(400)])
    assert (found.least, found.most) == (0.0, 0.0)


def test_a_question_with_one_answer_is_found_even_in_a_rare_case() -> None:
    """One case in many of its topic: the measure draws every case, and does not wait to meet it."""
    craps = RULEBOOKS["pt-craps"]
    guess = Guess("line", "rare", "allowed", "refused", share=1.0, asked=ENOUGH)
    assert guess.too_frequent(craps.game.standard.most_frequent)
    found = TopicQuality(craps.id, "line", (guess,), (), structures=20)
    assert shortcomings(found, craps) == [f"line: rare allowed: refused in 100% of {ENOUGH}"]
    rarer = TopicQuality(craps.id, "line", (replace(guess, share=0.5, asked=3),), (), structures=20)
    assert shortcomings(rarer, craps) == ["line: rare allowed: met too rarely to be measured (3)"]


def test_luck_alone_makes_no_shortcoming() -> None:
    near = Guess("line", "rare", "allowed", "refused", share=0.84, asked=100)
    assert near.doubtful(0.8) and not near.too_frequent(0.8)
    assert replace(near, asked=1000).too_frequent(0.8)


def _levels(*scores: float) -> list[Level]:
    figures = dict.fromkeys(("steps", "decisive", "tempting", "work"), 1.0)
    return [
        Level(level=level, score=score, errors={"score": 0.01}, **figures)
        for level, score in zip((1, 3, 5), scores, strict=True)
    ]


def test_a_level_that_is_easier_than_the_one_before_is_found() -> None:
    assert too_easy(_levels(0.8, 0.82, 0.7), {}) == []
    assert too_easy(_levels(0.8, 0.83, 0.7), {}) == ["level 3 is easier than 1: score 0.80 → 0.83"]
    assert too_easy(_levels(0.8, 0.8, 0.8), {}) == ["level 5 is no harder than 1: score 0.80 → 0.80"]


def test_one_kind_may_not_supply_most_of_the_highest_level() -> None:
    levels = _levels(0.8, 0.7, 0.6)
    assert too_easy(levels, {"one": 0.6, "two": 0.2, "three": 0.2}) == []
    assert too_easy(levels, {"one": 0.61, "two": 0.2, "three": 0.19}) == ["one supplies 61% of level 5"]
    assert too_easy(levels, {"one": 0.9, "two": 0.1}) == []


@pytest.mark.parametrize(
    ("cites", "two"),
    [
        (("67 c-1", "67 c-2"), False),
        (("67 c-1", "67 d"), True),
        (("34 s1", "34 s3"), False),
        (("34 s1", "35"), True),
        (("1 p2-1", "1 p2-2"), False),
        (("1 p2", "1 p3"), True),
        (("X 20 a-pleno", "X 27 s1"), True),
        (("X 24", "X 24 s2"), False),
        (("36", "36 open"), False),
        ((), False),
    ],
)
def test_two_provisions_are_two_numbers_of_the_text(cites: tuple[str, ...], two: bool) -> None:
    assert combined(cites) is two


def test_a_level_that_seldom_combines_two_provisions_is_found() -> None:
    book = RULEBOOKS["pt-craps"]
    found = TopicQuality(book.id, "line", (), tuple(_levels(0.8, 0.7, 0.6)), 20, combined=Combined(0.4, 0.04))
    assert shortcomings(found, book) == ["line: 40% of level 5 combines two provisions"]
    assert shortcomings(replace(found, combined=Combined(0.4, 0.06)), book) == []
    assert shortcomings(replace(found, topic="stakes"), book) == []
    assert book.game.standard.one_provision(book.id, "procedures")


def test_a_case_combines_provisions_by_what_its_answers_rest_on() -> None:
    """The clause of a won stake and that of its prize."""
    assert combined_at(5, Pool(RULEBOOKS["pt-craps"], "multiples", 10)).share == 1
    assert combined_at(5, Pool(RULEBOOKS["pt-maquinas"], "play", 20)).share == 0
    assert combined_at(1, Pool(RULEBOOKS["pt-chemin-de-fer"], "bank_capital", 10)).share < LEAST_COMBINED


def test_the_hardest_level_prefers_cases_that_combine_provisions() -> None:
    made = [generate("pt-chemin-de-fer", "bank_capital", seed, 5).solve() for seed in range(150)]
    assert sum(combined(ruling.pivots) for ruling in made) > 75
    easy = [generate("pt-chemin-de-fer", "bank_capital", seed, 1).solve() for seed in range(150)]
    assert sum(combined(ruling.pivots) for ruling in easy) < 15


def test_a_rulebook_is_harder_at_every_level() -> None:
    game, topic = next(
        (game, topic) for game in GAMES.values() for topic in game.topics if game.levels(topic) == (1, 2, 3, 4, 5)
    )
    full = [Level(level=n, score=1 - n / 10, steps=1, decisive=1, tempting=1, work=1, errors={}) for n in range(1, 6)]
    assert no_harder(game, {topic: full}) == []
    flat = [*full[:3], replace(full[3], score=full[2].score), full[4]]
    assert no_harder(game, {topic: flat}) == ["level 4 is no harder than 3: score 0.700 → 0.700"]


def test_the_weight_of_a_draw_is_how_often_it_is_generated() -> None:
    pool = Pool(RULEBOOKS["pt-craps"], "odds", 60)
    for level in (1, 4):
        expected = kinds_at(level, pool)
        made = Counter(kind_of(generate("pt-craps", "odds", seed, level).situation.incident) for seed in range(500))
        assert all(abs(made[kind] / 500 - share) < 0.07 for kind, share in expected.items())


def test_nothing_on_hold_is_drawn_at_the_first_two_levels() -> None:
    for topic in ("odds", "payout", "shooter"):
        for level in (1, 2):
            made = [generate("pt-craps", topic, seed, level) for seed in range(40)]
            assert all(one.solve().exam_safe for one in made)
    assert not all(generate("pt-craps", "odds", seed, 5).solve().exam_safe for seed in range(40))


def test_every_question_that_trainees_meet_is_measured() -> None:
    book, topic = "pt-black-jack", topics("pt-black-jack")[0]
    measured = {(one.kind, one.question) for one in topic_quality(RULEBOOKS[book], topic).guesses}
    met = [generate(book, topic, seed, 1 + seed % 5) for seed in range(100)]
    asked = {(kind_of(one.situation.incident), part.key.partition(".")[0]) for one in met for part in one.questions}
    assert asked <= measured


def test_a_new_version_moves_no_measure(monkeypatch: pytest.MonkeyPatch) -> None:
    book, topic = RULEBOOKS["pt-maquinas"], topics("pt-maquinas")[0]
    before = topic_quality(book, topic)
    monkeypatch.setattr(book.game, "version", "99.0.0")
    assert topic_quality(book, topic) == before


@pytest.mark.parametrize("game", GAMES)
def test_what_the_law_leaves_no_room_for_is_of_topics_and_questions_that_exist(game: str) -> None:
    standard = GAMES[game].standard
    taught = {topic for book in GAMES[game].books for topic in topics(book.id)}
    assert standard.levels.keys() | standard.structures.keys() <= taught
    named = {f"{book.id} {topic}" for book in GAMES[game].books for topic in topics(book.id)}
    assert standard.single.keys() <= taught | named
    assert {kind.split()[0] for kind in standard.plain} <= GAMES[game].kinds.keys()
    phrases = {name for name in standard.idle if ": " in name}
    assert {name.split()[0] for name in phrases} <= GAMES[game].kinds.keys()
    assert {name.split()[-2] for name in standard.idle.keys() - phrases} <= GAMES[game].domains.keys()
    assert all(
        len(reason) > 20 for reason in (*standard.plain.values(), *standard.idle.values(), *standard.single.values())
    )


def test_a_topic_without_room_has_fewer_levels() -> None:
    for game in GAMES.values():
        for topic, levels in game.standard.levels.items():
            assert levels == tuple(sorted(set(levels))) and set(levels) < {1, 2, 3, 4, 5}
            assert game.level(topic, 5) == levels[-1] and game.level(topic, 1) == levels[0]


def test_names_and_sums_do_not_make_another_structure() -> None:
    made = [generate("pt-chemin-de-fer", "third_card", seed, 3) for seed in range(200)]
    assert 5 < len({structure(scenario, scenario.solve()) for scenario in made}) < 150


def test_the_command_measures_one_topic(capsys: pytest.CaptureFixture[str]) -> None:
    main(["quality", "--rulebook", "pt-craps", "--topic", topics("pt-craps")[0], "--scenarios", "5"])
    assert capsys.readouterr().out.startswith(f"pt-craps {topics('pt-craps')[0]}: guess ")


def test_the_table_of_a_page_is_written_anew() -> None:
    found = topic_quality(RULEBOOKS["pt-maquinas"], "plan")
    page = document(f"before\n{START}\nold\n{END}\nafter\n", [found])
    assert page.startswith(f"before\n{START}\n\npt-maquinas: score 0.") and page.endswith(f"\n\n{END}\nafter\n")
    assert "| plan | " in page and "old" not in page
    assert document(page, [found]) == page
    with pytest.raises(ValueError, match="no place for the table"):
        document("nothing", [found])
