"""Forms of words that leave a choice, `[Mesmo|O mesmo] deitador`, or what may be left out, `[Total|] {total}`.

A choice is one of several options between brackets; an empty option means that nothing need be said there, and choices
may stand inside options. What several forms of a file say alike is a phrase of that file, `<shooter>` in the form.
"""

import re
from collections.abc import Iterator, Mapping

from rules_engine.errors import EngineError

# The innermost choice, or the first of them.
CHOICE = re.compile(r"\[([^\[\]]*)\]")
PHRASE = re.compile(r"<(\w+)>")
# Signs that stand for those of a choice which is left as it is.
LEFT = str.maketrans("[|]", "\N{LEFT WHITE SQUARE BRACKET}\N{BROKEN BAR}\N{RIGHT WHITE SQUARE BRACKET}")
OPENED = {sign: plain for plain, sign in LEFT.items()}
STRAY = re.compile(r"[\[\]|<>]")


def in_full(form: str, phrases: Mapping[str, str]) -> str:
    """A form with its phrases written out; a phrase may hold others. One that cannot be read is refused."""
    full = form
    while phrase := PHRASE.search(full):
        if phrase[1] not in phrases:
            raise EngineError("no phrase {name} for {form!r}", name=phrase[1], form=form)
        full = full[: phrase.start()] + phrases[phrase[1]] + full[phrase.end() :]
    if STRAY.search(first_wording(full)):
        raise EngineError("a bracket or bar too many in {form!r}", form=form)
    return full


def apart(form: str) -> list[str]:
    """The form once for each option of a choice that has slots in it: what was said may fit several of those, and only
    one of them with the right values. Choices of mere words are left open."""
    choice = CHOICE.search(form)
    if choice is None:
        return [form.translate(OPENED)]
    if "{" in choice[1]:
        return list(dict.fromkeys(one for option in options(form) for one in apart(option)))
    return apart(form[: choice.start()] + choice[0].translate(LEFT) + form[choice.end() :])


def first_wording(form: str) -> str:
    """The form with the first option of every choice: one way to say it, for showing."""
    found = form
    while CHOICE.search(found):
        found = next(options(found))
    return found if found == form else tidy(found)


def options(form: str) -> Iterator[str]:
    """The form with each option of its first innermost choice; further choices are left open."""
    choice = CHOICE.search(form)
    if choice is None:
        yield form
        return
    for option in choice[1].split("|"):
        yield form[: choice.start()] + option + form[choice.end() :]


def each_option(form: str) -> Iterator[str]:
    """Wordings in which every option of every choice is taken once, the other choices at their first option."""
    yield first_wording(form)
    while CHOICE.search(form):
        form, *others = options(form)
        yield from (tidy(first_wording(other)) for other in others)


def tidy(wording: str) -> str:
    """Without the gaps of options that say nothing, every sentence with a capital."""
    told = re.sub(r" (?=[,.;:?!]|$)", "", re.sub(r"\s+", " ", wording.strip()))
    return re.sub(r"(?:^|[.?!] )\w", lambda start: start[0].upper(), told)
