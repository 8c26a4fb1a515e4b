"""Data of the wrong shape: translates the messages of the validation library into our errors."""

import re

from rules_engine.errors import EngineError

PLACED = re.compile(r"(?P<said>.*?)(?: - at (?:`key` in )?`\$(?P<path>.*)`)?", re.DOTALL)
# Each message of the library, and our sentence for it.
SAID = {
    r"Object missing required field `(?P<name>.*)`": "`{name}` is missing",
    r"Object contains unknown field `(?P<name>.*)`": "`{name}` is not known here",
    r"Invalid enum value '?(?P<given>.*?)'?": "{given!r} is not one of the choices",
    r"Expected `(?P<wanted>\w+).*`, got `(?P<given>\w+)`": "expected {wanted:json}, not {given:json}",
    r"Expected `.*` >= (?P<least>-?\d+)": "expected at least {least:grouped}",
    r"Expected `.*` <= (?P<most>-?\d+)": "expected at most {most:grouped}",
    r"Expected `str` of length >= (?P<least>\d+)": "expected at least {least} characters",
    r"Expected `str` of length <= (?P<most>\d+)": "expected at most {most} characters",
    r"Expected `.*` of length >= (?P<least>\d+)": "expected {least} or more of them",
    r"Expected `.*` of length <= (?P<most>\d+)": "expected no more than {most} of them",
    r"Expected `.*` of length (?P<length>\d+), got (?P<found>\d+)": "expected {length} of them, not {found}",
    r"Expected `str` matching regex .*": "this is not how it is written",
}
LIMITS = ("least", "most")


def misfit(message: str, where: str) -> EngineError:
    """The error for a message of the library about the data at `where`."""
    found = PLACED.fullmatch(message)
    said, path = (found["said"], found["path"] or "") if found else (message, "")
    for pattern, template in SAID.items():
        if values := re.fullmatch(pattern, said, re.DOTALL):
            given = {name: int(one) if name in LIMITS else one for name, one in values.groupdict().items()}
            return EngineError(template, fact=f"{where}{path}", **given)
    return EngineError("{said}", fact=f"{where}{path}", said=said)
