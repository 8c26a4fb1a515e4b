"""People who use the platform meanwhile: trainees who answer drills, candidates in their exams, forgetful ones."""

import re
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from tests.persistent import Candidate, Persistent
from tests.spoken import KEY, TOPIC

DRILL = {"topic": f"pt-chemin-de-fer/{TOPIC}", "difficulty": "2"}


class Trainee(Persistent):
    """Starts drills and answers them with words found nowhere else."""

    def __init__(self, base: str, told: dict[str, Any], draw: Random) -> None:
        super().__init__(base, told["cookies"])
        self.name, self.draw = told["trainee"].partition("@")[0], draw
        self.acknowledged: dict[str, str] = {}  # drill and words

    def practise(self) -> None:
        address = self.send("/practice/start/", DRILL, done=302)
        drill = re.fullmatch(r"/practice/([0-9a-f-]{36})/", address)
        assert drill, f"a drill was to start, and {address} came"
        words = f"Resposta {len(self.acknowledged)} de {self.name}"
        winner = self.draw.choice(["ponto", "banker", "tie"])
        back = self.send(address, {f"q.{KEY}": words, "q.winner": winner}, done=302)
        assert back == address, f"an answer was sent, and {back} came"
        self.acknowledged[drill[1]] = words


class Forgetful(Persistent):
    """Asks for a new password, now for this address and now for that."""

    bearable = Persistent.bearable | {429}  # no more than a few in a minute

    def __init__(self, base: str, addresses: Sequence[str]) -> None:
        super().__init__(base, {})
        self.addresses = addresses
        self.acknowledged: Counter[str] = Counter()

    def ask(self) -> None:
        address = self.addresses[self.acknowledged.total() % len(self.addresses)]
        self.send("/account/password/reset/", {"email": address}, done=302)
        self.acknowledged[address] += 1


class Knowing(Candidate):
    """A candidate who may have been given the right answers."""

    def __init__(self, base: str, told: dict[str, Any], answers: list[dict[str, str]]) -> None:
        super().__init__(base, told)
        self.answers = answers

    def sit(self, pause: Callable[[], bool]) -> None:
        """Item after item; who is interrupted is closed by time."""
        for position in range(1, len(self.told["form_items"]) + 1):
            self.answer(position)
            if self.answers:
                right = self.answers[position - 1]
                self.save(position, right, sequence=3)
                self.acknowledged[self.told["form_items"][position - 1]] = self._words(position, right)
            if pause() and not self.answers:
                return
        self.hand_in()

    def _words(self, position: int, fields: dict[str, str]) -> str:
        return fields[f"q.{self.told['questions'][position - 1]}"]


class Load:
    """Everybody at once, until it is over; `failures` is what nobody may be answered."""

    def __init__(self, base: str, told: list[dict[str, Any]], seed: int) -> None:
        self.over, self.failures = threading.Event(), list[str]()
        knows = {one["knows"]: one["answers"] for one in told if "knows" in one}
        self.trainees = [Trainee(base, one, Random(f"{seed} {one['trainee']}")) for one in told if "trainee" in one]
        self.candidates = [Knowing(base, one, knows[one["sitting"]]) for one in told if "sitting" in one]
        self.forgetful = Forgetful(base, [one["trainee"] for one in told if "trainee" in one])
        self.waiting = list(self.candidates)
        works = [self._endless(trainee.practise, 0.3) for trainee in self.trainees]
        works += [self._endless(self.forgetful.ask, 2.0), self._sit, self._sit]
        self.threads = [threading.Thread(target=self._guarded, args=(work,), daemon=True) for work in works]

    def begin(self) -> None:
        for thread in self.threads:
            thread.start()

    def finish(self) -> None:
        """Each sends what it is about until that is acknowledged, and then no more."""
        self.over.set()
        for thread in self.threads:
            thread.join()

    @property
    def answered(self) -> int:
        """Answers to drills that were acknowledged so far."""
        return sum(len(trainee.acknowledged) for trainee in self.trainees)

    @property
    def people(self) -> list[Persistent]:
        return [*self.trainees, *self.candidates, self.forgetful]

    def _endless(self, act: Callable[[], None], pause: float) -> Callable[[], None]:
        def work() -> None:
            while not self.over.wait(pause):
                act()

        return work

    def _sit(self) -> None:
        while self.waiting and not self.over.is_set():
            self.waiting.pop().sit(lambda: self.over.wait(0.5))

    def _guarded(self, work: Callable[[], None]) -> None:
        try:
            work()
        except Exception as failure:
            self.failures.append(f"{type(failure).__name__}: {failure}")
