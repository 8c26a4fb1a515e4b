"""Tonight's incident from nothing to published and drilled, by pages alone, with every action of its author counted.

Authors write six incidents, from home to the review, by mouse, by touch on a tablet and by keys alone. Two go on to
a reviewer and a trainee, also on a phone of 360 px.
"""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.browser.drilling import to_the_last, turn_to
from tests.browser.hands import By, Hand
from tests.browser.test_editor import accessible, enter
from tests.factories import PersonFactory
from tests.library.versions import instructor
from tests.practice.drills import right_answer
from tests.samples import FULL
from training.library.models import Version
from training.practice.models import Drill

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
BOOK = "Portugal · chemin de fer"
SANREMO = "Sanremo · chemin de fer"
TABLET, PHONE = {"width": 820, "height": 1180}, {"width": 360, "height": 740}
FINGER = 44
LEAST_SEATED = 4  # 16: with fewer seated nobody may play
LAST_SEAT = "9"  # beside the croupier, where nobody stands
# The actions of an author, from home to sent.
MOST = {
    "dropped card": 8,
    "two standing": 14,
    "late bet and its payout": 14,
    "extra card of the bank": 8,
    "die off the table": 8,
    "third card in Sanremo": 8,
}
MOST_FOUND = 30  # a search leaves a few of the more than hundred kinds


class Author(Hand):
    """Somebody with an incident to write down."""

    def at(self, point: str) -> Locator:
        return self.page.locator(f'#drawn [data-point="{point}"]:visible').first

    def choose(self, offer: str) -> None:
        self.do(self.page.locator("#menu").get_by_role("button", name=offer, exact=True))
        expect(self.page.locator("#menu")).to_be_hidden()

    def start(self, word: str, kind: str, topic: str, book: str = BOOK) -> None:
        self.do(self.page.get_by_role("link", name="Escrever o incidente desta noite"))
        self.do(self.page.get_by_role("link", name=book, exact=True))
        self.find(word, kind, topic)
        expect(self.page.locator("#ruled .steps")).to_be_visible()

    def find(self, word: str, kind: str, topic: str) -> None:
        self.write(self.page.locator("#find"), word)
        found = self.page.locator(f'#found a[href*="kind={kind}"][href*="topic={topic}"]')
        expect(self.page.locator("#found li").nth(MOST_FOUND)).to_be_hidden()
        self.do(found)
        expect(self.page.locator("#verdict")).to_be_visible()

    def put(self, field: str, words: str) -> None:
        """Fill in a field and wait until it is ruled on."""
        with self.page.expect_response(lambda answer: answer.request.method == "POST"):
            self.write(self.page.locator(field), words)

    def send(self, title: str) -> None:
        self.write(self.page.get_by_label("Título").first, title)
        self.do(self.page.get_by_role("button", name="Guardar e enviar para revisão"))
        expect(self.page.get_by_text("em revisão", exact=True)).to_be_visible()


@pytest.fixture
def phone(chromium: Browser) -> Iterator[Page]:
    context = chromium.new_context(locale="pt-PT", viewport=PHONE, has_touch=True)  # type: ignore[arg-type]
    yield context.new_page()
    context.close()


@pytest.fixture
def tablet(chromium: Browser) -> Iterator[Page]:
    context = chromium.new_context(locale="pt-PT", viewport=TABLET, has_touch=True)  # type: ignore[arg-type]
    yield context.new_page()
    context.close()


# ---------- the incidents ----------


def dropped_card(author: Author) -> list[str]:
    """The second card of the ponto fell."""
    author.start("deixou cair", "card_on_floor", "deal_faults")
    author.do(author.at("card:ponto.1"))
    author.choose("Que carta: esta")
    expect(author.page.locator("#f-incident-card")).to_have_value("ponto.1")
    author.send("Caiu uma carta")
    return []


def one_more_stands(author: Author) -> list[str]:
    """One stands at 7 already and has called; another is put at 4 from the tray, and calls too."""
    page = author.page
    author.start("bancôs", "claims_open", "standing_players")
    author.do(page.get_by_role("button", name="alguém em pé", exact=True))
    author.do(author.at("place:4"))
    expect(author.at("place:4a")).to_be_visible()
    author.do(page.get_by_role("button", name="Falas", exact=True))
    author.do(page.locator('[data-thing="says.banco"]'))
    author.do(page.locator('#said [data-point="place:4a"]') if author.by == "touch" else author.at("place:4a"))
    expect(page.locator("#said")).to_contain_text("Bancô")
    expect(page.locator("#f-calls-2-by")).to_have_value("4a")
    author.send("Dois bancôs de pé")
    return ["croupier", "7a", "4a"]


def callers_get_up(author: Author) -> list[str]:
    """Two have called from their seats, and are made to stand, unless that is beside the croupier; others sit down if
    too few are left."""
    page = author.page
    author.start("bancôs", "claims_open", "banco_priority")
    callers = [by.input_value() for by in page.locator('#f-calls select[name$="-by"]').all()]
    seats = [caller for caller in callers if caller.isdecimal()]
    assert len(seats) == 2
    up = [seat for seat in seats if seat != LAST_SEAT]
    assert up
    for seat in up:
        author.do(author.at(f"place:{seat}"))
        author.choose("Levanta-se e fica em pé")
        expect(page.locator(f'#drawn [data-point="place:{seat}"].free:visible')).not_to_have_count(0)
    boxes = page.get_by_role("group", name="Lugares ocupados").get_by_role("checkbox")
    taken = [box.is_checked() for box in boxes.all()]
    free = [number for number, is_taken in enumerate(taken, 1) if not is_taken and str(number) not in seats]
    assert taken
    for number in free[: max(0, LEAST_SEATED - sum(taken))]:
        author.do(page.get_by_role("button", name="alguém sentado", exact=True))
        author.do(author.at(f"place:{number}"))
        expect(boxes.nth(number - 1)).to_be_checked()
    standing = [by.input_value() for by in page.locator('#f-calls select[name$="-by"]').all()]
    assert [by[:1] if callers[place] in up else by for place, by in enumerate(standing)] == callers
    assert all(by not in callers for by in standing if by[:1] in up)
    author.send("Dois bancôs de pé")
    return standing


def late_bet_and_payout(author: Author) -> list[str]:
    """A bet put after the ball was thrown, and then what is paid."""
    page = author.page
    author.start("aposta tardia", "late_bet", "spin", "Portugal 1995 · roleta americana")
    author.put("#f-incident input[inputmode=numeric] >> nth=0", "2")
    author.write(page.get_by_label("Título").first, "Aposta tardia")
    author.do(page.get_by_role("button", name="O que acontece a seguir"))
    author.find("saiu o número", "number_out", "payout")
    author.put("#f-number", "17")
    expect(page.locator("#ruled .steps")).to_be_visible()
    author.do(page.get_by_role("button", name="Guardar e enviar para revisão"))
    expect(page.get_by_text("em revisão", exact=True)).to_be_visible()
    return []


def extra_bank_card(author: Author) -> list[str]:
    author.start("banqueiro com cartas a mais", "banker_has_extra_cards", "deal_faults")
    author.put("#f-banker_cards", "9h 4s 2d")
    author.send("Uma carta a mais na banca")
    return []


def die_off_the_table(author: Author) -> list[str]:
    author.start("dado saiu da mesa", "jumped_die", "void_throw", "Portugal 1995 · craps")
    author.send("O dado saiu da mesa")
    return []


def third_card_in_sanremo(author: Author) -> list[str]:
    author.start("terceira carta errada", "banker_to_decide", "third_card", SANREMO)
    author.put("#f-banker_cards", "2h 3s")
    author.send("A terceira carta do banqueiro")
    return []


# ---------- whose turn comes after ----------


def publish(reviewer: Hand, title: str) -> None:
    reviewer.do(reviewer.page.get_by_role("link", name=title))
    reviewer.do(reviewer.page.get_by_role("button", name="Publicar"))
    expect(reviewer.page.get_by_text("publicado", exact=True)).to_be_visible()


def drill(trainee: Hand, version: Version) -> None:
    """Free practice of the topic puts what was just published, and the right answer gets every point."""
    page = trainee.page
    chapter = page.locator(f'details.chapter[hx-get*="chapter={version.topic}"]')
    trainee.do(chapter.locator("summary"))
    level = version.scenario.book.game.level(version.topic, version.difficulty)  # the nearest that the topic has
    trainee.do(chapter.locator(f'[name=difficulty][value="{level}"]'))
    expect(page.locator("#answer")).to_be_visible()
    put = Drill.objects.get()
    assert put.version == version
    for key, value in right_answer(put.scenario).items():
        _answer(trainee, turn_to(page, key), value)
    to_the_last(page)
    trainee.do(page.locator("#answer button[type=submit]").last)
    expect(page.locator("#panel[data-graded]")).to_be_visible()
    mark = Drill.objects.get().attempt.mark
    assert mark.points == mark.of


def _answer(trainee: Hand, question: Locator, value: str) -> None:
    option = question.locator(f'input[type=radio][value="{value}"]')
    if (folded := question.locator("details.alike:not([open]) > summary")).count():
        trainee.do(folded)
    if question.get_attribute("data-kind") == "words" or not option.count():
        trainee.write(question.locator("input:not([type=radio])").first, value)
    else:
        trainee.tick(option)


# ---------- the walks ----------


WRITTEN: dict[str, Callable[[Author], list[str]]] = {
    "dropped card": dropped_card,
    "two standing": one_more_stands,
    "late bet and its payout": late_bet_and_payout,
    "extra card of the bank": extra_bank_card,
    "die off the table": die_off_the_table,
    "third card in Sanremo": third_card_in_sanremo,
}
WAYS: tuple[By, ...] = ("mouse", "touch", "keys")
# Each incident in one way and each way twice; with SABOT_FULL=1 each incident in each way.
WALKS = [
    (incident, by)
    for place, incident in enumerate(WRITTEN)
    for turn, by in enumerate(WAYS)
    if FULL or turn == place % len(WAYS)
]


def begin(page: Page, by: By, live_server: LiveServer) -> Author:
    enter(page, instructor(name="Alda Seixas"), live_server)
    page.goto(live_server.url)
    return Author(page, by)


@pytest.mark.parametrize(("incident", "by"), WALKS)
def test_from_home_to_review_in_few_actions(
    request: pytest.FixtureRequest,
    live_server: LiveServer,
    record_property: Callable[[str, int], None],
    incident: str,
    by: By,
) -> None:
    author = begin(request.getfixturevalue("tablet" if by == "touch" else "page"), by, live_server)
    WRITTEN[incident](author)
    record_property("actions", author.actions)
    assert author.actions <= MOST[incident]
    assert Version.objects.get().state == Version.State.IN_REVIEW


# An incident that goes on to the reviewer and the trainee, each way once.
@pytest.mark.parametrize(
    ("by", "write"), [("touch", dropped_card), ("mouse", one_more_stands), ("keys", callers_get_up)]
)
def test_from_a_blank_table_to_a_drill(
    request: pytest.FixtureRequest, live_server: LiveServer, worker: None, by: By, write: Callable[[Author], list[str]]
) -> None:
    page: Page = request.getfixturevalue("phone" if by == "touch" else "page")
    calls = write(begin(page, by, live_server))
    version = Version.objects.get()
    if not calls:
        assert version.scenario_document["situation"]["incident"]["card"] == "ponto.1"
    else:
        assert [call.by for call in version.scenario.situation.calls] == calls
    enter(page, instructor(name="Bento Lousã"), live_server)
    page.goto(f"{live_server.url}/scenarios/")
    publish(Hand(page, by), version.words["pt"]["title"])
    enter(page, PersonFactory(), live_server)
    page.goto(f"{live_server.url}/practice/rules/")
    drill(Hand(page, by), version)


def test_a_finger_finds_what_it_needs_on_a_phone(phone: Page, live_server: LiveServer) -> None:
    enter(phone, instructor(), live_server)
    phone.goto(f"{live_server.url}/scenarios/new/?rulebook=pt-chemin-de-fer&kind=claims_open&topic=standing_players")
    expect(phone.locator("#ruled .steps")).to_be_visible()
    phone.get_by_role("button", name="Falas", exact=True).tap()
    small = phone.evaluate(
        """least => [...document.querySelectorAll(".thing, [data-open], .save-bar .button")]
          .map(one => one.getBoundingClientRect()).filter(box => box.width && Math.min(box.width, box.height) < least)
          .length""",
        FINGER,
    )
    assert small == 0
    accessible(phone)
