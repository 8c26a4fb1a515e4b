"""Topics and their cases: what can be practised, and the generators that make the facts for it.

A case makes situations that turn on certain articles. A topic is what a trainee chooses. No case carries an answer.
"""

from functools import cache

from rules_engine.cases import Case
from rules_engine.errors import UnknownName
from rules_engine.game import rulebook


@cache
def cases(book_id: str, topic: str | None = None, article: str | None = None) -> tuple[Case, ...]:
    """The cases of a rulebook, narrowed to a topic or an article. All of them exist once the engine is imported."""
    found = [item for item in rulebook(book_id).game.cases if book_id in item.turns_on]
    if topic is not None:
        found = [item for item in found if item.topic == topic]
        if not found:
            raise UnknownName("topic of {book:rulebook}", topic, topics(book_id), book=book_id)
    if article is not None:
        found = [item for item in found if article in item.turns_on[book_id]]
        if not found:
            raise UnknownName("practised article of {book:rulebook}", article, book=book_id)
    return tuple(found)


def topics(book_id: str) -> tuple[str, ...]:
    """The topics of a rulebook, in teaching order."""
    game = rulebook(book_id).game
    found = dict.fromkeys(item.topic for item in game.cases if book_id in item.turns_on)
    taught = [topic for topic in game.topics if topic in found]
    return (*taught, *(topic for topic in found if topic not in taught))
