"""Forms of words with a choice, `[Mesmo|O mesmo] deitador`, or an optional part, `[Total|] {total}`.

A choice lists options in brackets. An empty option means that nothing needs to be said there, and options may contain
choices. Wording that several forms of a file share is a phrase of that file, `<shooter>` in the form.
"""

import re
from collections.abc import Iterator, Mapping

from rules_engine.errors import EngineError

# The first innermost choice.
CHOICE = re.compile(r"\[([^\[\]]*)\]")
PHRASE = re.compile(r"<(\w+)>")
# Stand-ins for the signs of a choice that is left as it is.
LEFT = str.maketrans("[|]", "\N{LEFT WHITE SQUARE BRACKET}\N{BROKEN BAR}\N{RIGHT WHITE SQUARE BRACKET}")
OPENED = {sign: plain for plain, sign in LEFT.items()}
STRAY = re.compile(r"[\[\]|<>]")


def in_full(form: str, phrases: Mapping[str, str]) -> str:
    """A form with its phrases written out; phrases may contain phrases. Raises an error if it cannot be read."""
    full = form
    while phrase := PHRASE.search(full):
        if phrase[1] not in phrases:
            raise EngineError("no phrase {name} for {form!r}", name=phrase[1], form=form)
        full = full[: phrase.start()] + phrases[phrase[1]] + full[phrase.end() :]
    if STRAY.search(first_wording(full)):
        raise EngineError("a bracket or bar too many in {form!r}", form=form)
    return full


def apart(form: str) -> list[str]:
    """The form once for each option of a choice that contains slots: several options may fit what was said, but only
    one with the right values. Choices without slots stay open."""
    choice = CHOICE.search(form)
    if choice is None:
        return [form.translate(OPENED)]
    if "{" in choice[1]:
        return list(dict.fromkeys(one for option in options(form) for one in apart(option)))
    return apart(form[: choice.start()] + choice[0].translate(LEFT) + form[choice.end() :])


def first_wording(form: str) -> str:
    """The form with the first option of every choice: one wording, for showing."""
    found = form
    while CHOICE.search(found):
        found = next(options(found))
    return found if found == form else tidy(found)


def options(form: str) -> Iterator[str]:
    """The form with each option of its first innermost choice; the other choices stay open."""
    choice = CHOICE.search(form)
    if choice is None:
        yield form
        return
    for option in choice[1].split("|"):
        yield form[: choice.start()] + option + form[choice.end() :]


def each_option(form: str) -> Iterator[str]:
    """Wordings that use every option of every choice once, with the other choices at their first option."""
    yield first_wording(form)
    while CHOICE.search(form):
        form, *others = options(form)
        yield from (tidy(first_wording(other)) for other in others)


def tidy(wording: str) -> str:
    """The form without the gaps that empty options leave, each sentence starting with a capital."""
    told = re.sub(r" (?=[,.;:?!]|$)", "", re.sub(r"\s+", " ", wording.strip()))
    return re.sub(r"(?:^|[.?!] )\w", lambda start: start[0].upper(), told)
