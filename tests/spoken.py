"""Cases that ask for words, found by what they ask: some cases of a topic ask what the croupier says, others do not."""

from rules_engine import Scenario, generate

# A topic whose cases all ask for the announcement, for tests that take whatever case the platform starts.
TOPIC, KEY = "announcements", "announcement"


def asked_words(scenario: Scenario) -> str:
    """The first question of a case that is answered with words; empty if there is none."""
    return next((question.key for question in scenario.questions if question.kind == "words"), "")


def spoken(book: str, topic: str, difficulty: int = 2) -> Scenario:
    """A case of a topic that asks for words."""
    made = (generate(book, topic, f"spoken {number}", difficulty) for number in range(400))
    return next(scenario for scenario in made if asked_words(scenario))
