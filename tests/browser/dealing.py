"""Dealing at a live table in a browser, by touch or by keyboard: whatever is due is done, and faults are stopped."""

import os
from pathlib import Path

from django.utils import timezone
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from rules_engine import play
from rules_engine.live.dealers import dutiful
from training.live_table import planning, services
from training.live_table.models import Session
from training.people.models import User

REST = 100  # milliseconds
PICTURES = os.environ.get("SABOT_PICTURES", "")  # a folder for screenshots, to look at the tables


def opened(trainee: User, book: str, *, coups: int, faults: float = 0, seed: str = "browser", busy: int = 1) -> Session:
    setup = play.Setup(rulebook=book, seed=seed, coups=coups, faults=faults, habits=play.Habits(busy=busy))
    return services.opened(trainee, setup, length="ten", rung="quiet", pace=0, now=timezone.now())


def address(session: Session, live_server: LiveServer) -> str:
    return f"{live_server.url}/practice/table/{session.pk}/"


def now(session: Session) -> tuple[Session, play.State]:
    found = Session.objects.get(pk=session.pk)
    return found, play.decode_state(found.state)


def said(state: play.State, done: play.Say) -> str:
    book = play.book_of(state.setup)
    duty = next(one for one in state.due if one.words and one.words.formula == done.formula)
    assert duty.words is not None
    return book.say(duty.words, book.language_of(duty.key))


def pressed(page: Page, session: Session, *keys: str) -> None:
    before = Session.objects.get(pk=session.pk).last_number
    for key in keys:
        page.keyboard.press(key)
    expect(page.locator("[data-live]")).to_have_attribute("data-shown", str(before + 1))


def picture(page: Page, name: str) -> None:
    if PICTURES:
        page.screenshot(path=Path(PICTURES) / f"{name}.png")


class Touch:
    """Everything by tapping."""

    def __init__(self, page: Page, session: Session) -> None:
        self.page, self.session = page, session

    def _tap(self, selector: str) -> None:
        with self.page.expect_response("**/act/"):
            self.page.locator(selector).tap()
        self._shown()

    def _shown(self) -> None:
        found = Session.objects.get(pk=self.session.pk)
        if not found.ended_at:
            expect(self.page.locator("[data-live]")).to_have_attribute("data-shown", str(found.last_number))

    def carry_on(self) -> None:
        self._tap("[data-carry]")

    def say(self, words: str) -> None:
        self.page.locator("#tab-calls").tap()
        self.page.locator("#say").fill(words)
        self._tap("[data-say-form] [type=submit]")

    def do(self, key: str, value: str | int) -> None:
        self.page.locator("#tab-do").tap()
        if self.page.locator(f'[data-do-number="{key}"]').count():
            self.page.locator(f'[id="do-{key}"]').fill(str(value))
            self._tap(f'[data-do-number="{key}"] button')
        else:
            self._tap(f'[data-do="{key}"][data-value="{value}"]')

    def pay(self, due: play.Pay) -> None:
        """The pile, the chips, the button."""
        self.page.locator("#tab-chips").tap()
        collects = due.payee in ("house", "bank")
        player = due.payer if collects else due.payee
        self.page.locator(f'label:has([data-player="{player}"][data-spot="{due.spot}"])').tap()
        left = due.amount
        for chip in reversed(self.page.locator("[data-chip]").all()):
            value = int(str(chip.get_attribute("data-chip")))
            for _ in range(left // value):
                chip.tap()
            left %= value
        assert not left
        self._tap("[data-collect]" if collects else "[data-pay]")

    def stop(self, kind: str) -> None:
        self._tap("[data-stop]")
        picture(self.page, f"{self.session.rulebook}-stopped")
        self.page.locator(f'label:has([name=kind][value="{kind}"])').tap()
        self._tap("[data-claim-form] [type=submit]")


class Keys(Touch):
    """Everything by keyboard."""

    def _press(self, *keys: str) -> None:
        with self.page.expect_response("**/act/"):
            for key in keys:
                self.page.keyboard.press(key)
        self._shown()

    def carry_on(self) -> None:
        self.page.locator("[data-left]").focus()
        self._press("Enter")

    def say(self, words: str) -> None:
        self.page.locator("[data-left]").focus()
        self.page.keyboard.press("/")
        self.page.keyboard.type(words)
        self._press("Enter")

    def do(self, key: str, value: str | int) -> None:
        self.page.locator("[data-left]").focus()
        self.page.keyboard.press("2")
        if self.page.locator(f'[data-do-number="{key}"]').count():
            self.page.locator(f'[id="do-{key}"]').focus()
            self.page.keyboard.type(str(value))
        else:
            self.page.locator(f'[data-do="{key}"][data-value="{value}"]').focus()
        self._press("Enter")

    def pay(self, due: play.Pay) -> None:
        self.page.locator("[data-left]").focus()
        self.page.keyboard.press("3")
        collects = due.payee in ("house", "bank")
        player = due.payer if collects else due.payee
        pile = self.page.locator(f'[data-player="{player}"][data-spot="{due.spot}"]')
        pile.focus()
        self.page.keyboard.press("Enter")
        self.page.locator("#sum").focus()
        self.page.keyboard.type(str(due.amount))
        if collects:
            self.page.locator("[data-collect]").focus()
        self._press("Enter")

    def stop(self, kind: str) -> None:
        self.page.locator("[data-left]").focus()
        self._press("Space")
        picture(self.page, f"{self.session.rulebook}-stopped-wide")
        claim = self.page.locator(f'[name=kind][value="{kind}"]')
        self.page.locator("[name=kind]").first.focus()
        while not claim.is_checked():
            self.page.keyboard.press("ArrowDown")
        self._press("Enter")


def deal(page: Page, session: Session, how: type[Touch], *, stops: bool = False) -> None:
    """Do everything that is due until the session is over; stop at every fault, if wanted."""
    hands = how(page, session)
    while True:
        found, state = now(session)
        if found.ended_at:
            return
        if planning.REST and (found.unplanned or found.rests_until):
            page.wait_for_timeout(REST)  # the page asks for the next coup by itself
            continue
        if stops and state.moment.wrong and state.stop_at is None and not found.pending and not found.unplanned:
            hands.stop(state.moment.kind)
            continue
        done = play.CarryOn() if found.pending or found.unplanned else dutiful(state)
        if isinstance(done, play.Pay):
            picture(page, f"{session.rulebook}-{how.__name__}-pay")
            hands.pay(done)
        elif isinstance(done, play.Give):
            hands.do(done.key, done.to)
        elif isinstance(done, play.Do):
            hands.do(done.key, done.value)
            picture(page, f"{session.rulebook}-{how.__name__}-do")
        elif isinstance(done, play.Say):
            hands.say(said(state, done))
            picture(page, f"{session.rulebook}-{how.__name__}-say")
        else:
            hands.carry_on()
