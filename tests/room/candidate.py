"""What a candidate of the room does: sign in, begin, save, hand in."""

import random
import re
import ssl
import time

from tests.room.browser import Browser, Record, Wrong

ITEMS = 5
PULSE = 15.0  # seconds, as the page's script does it
KEPT = re.compile(r'name="kept" value="([^"]+)"')
AGAIN = re.compile(r'data-again="(\d+)"')
SITTING = re.compile(r"/exams/sittings/([0-9a-f-]{36})/")


class Candidate:
    def __init__(self, port: int, record: Record, context: ssl.SSLContext, told: dict[str, str]) -> None:
        cookies = {"sessionid": told["session"]} if "session" in told else {}
        self.browser = Browser(port, record, context, **cookies)
        self.record, self.told = record, told
        self.draw = random.Random(told["candidate"])
        self.sitting, self.sequence = "", 0

    def sign_in(self) -> None:
        """From the first page to the home page."""
        arrived = time.perf_counter()
        self.browser.page("sign-in page", "/")
        form = {"login": self.told["email"], "password": self.told["password"]}
        body, there = self.browser.ask("sign-in", "POST", "/account/login/", form)
        while not there:
            kept, again = KEPT.search(body), AGAIN.search(body)
            if not kept or not again:
                raise Wrong(f"{self.told['email']} was not signed in")
            self.record.put_off += 1
            time.sleep(float(again[1]))
            form = {"login": self.told["email"], "kept": kept[1]}
            body, there = self.browser.ask("sign-in", "POST", "/account/login/", form)
        self.browser.page("home after sign-in", there)
        self.record.note("signed in, from arrival", time.perf_counter() - arrived)

    def begin(self) -> None:
        started = time.perf_counter()
        path = f"/exams/enter/{self.told['candidate']}/"
        self.browser.page("exam's door", path)
        _, there = self.browser.ask("begin", "POST", path, {"code": self.told["code"]})
        found = SITTING.match(there)
        if not found:
            raise Wrong(f"{self.told['email']} could not begin")
        self.sitting = found[0]
        self.browser.page("first item", there)
        self.record.note("begun, from the code", time.perf_counter() - started)

    def save(self, what: str) -> None:
        self.sequence += 1
        position = 1 if self.sequence == 1 else 1 + self.sequence % ITEMS
        form = {"sequence": str(self.sequence), "seconds": "1"}
        if position == 1:
            form[f"q.{self.told['question']}"] = f"Igualdade a {self.sequence % 10}"
        self.browser.ask(what, "POST", f"{self.sitting}{position}/save/", form)

    def go_on(self, what: str, until: float, every: float) -> None:
        """Save about so often, with the pulse of the page, until the time (`time.perf_counter`)."""
        pulse = time.perf_counter() + self.draw.uniform(0, PULSE)
        due = time.perf_counter() + self.draw.uniform(0, every)
        while min(pulse, due) < until:
            time.sleep(max(0.0, min(pulse, due) - time.perf_counter()))
            if pulse <= due:
                self.browser.ask("pulse", "POST", f"{self.sitting}pulse/", {"events": "[]"})
                pulse += PULSE
            else:
                self.save(what)
                due += self.draw.uniform(0.5, 1.5) * every

    def hand_in(self) -> None:
        self.browser.ask("hand in", "POST", f"{self.sitting}hand-in/", {})
