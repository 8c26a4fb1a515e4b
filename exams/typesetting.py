"""Documents to print: PDF/A-2a and PDF/UA-1, made by typst from a template with its own fonts.

They are made in the process that asks: a web worker or a child of the queue's pool, some ten milliseconds, no file and
no other program. Typst has one trap, a process forked from one that has compiled hangs; none of ours forks after it
has begun to work, and `compiler` refuses instead of hanging should that ever change.
"""

import json
import os
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any, Literal

import structlog
import typst

log = structlog.get_logger(__name__)

STANDARDS: list[Literal["a-2a", "ua-1"]] = ["a-2a", "ua-1"]  # for archives, and for who has it read aloud
NO_GLYPH = "could not be displayed"  # how typst says that no font has a letter


def typeset(template: Path, inputs: dict[str, Any], *, at: datetime) -> bytes:
    """The PDF of a template with all it says as `inputs`; dated `at`, so that it has the same bytes each time.

    `inputs["number"]` names it in the log.
    """
    told, timestamp = {"data": json.dumps(inputs)}, int(at.timestamp())
    try:
        made: Any = compiler(template).compile(
            format="pdf", pdf_standards=[*STANDARDS], timestamp=timestamp, sys_inputs=told
        )
    except typst.TypstError as error:
        if NO_GLYPH not in error.message:
            raise
        made = _with_other_fonts(template, inputs["number"], told, timestamp=timestamp)
    return one_file(made)


def one_file(made: object) -> bytes:
    """What typst made, where it must be a single page or document."""
    if not isinstance(made, bytes):
        raise TypeError("typst gave no single document")
    return made


def _with_other_fonts(template: Path, number: str, told: dict[str, str], *, timestamp: int) -> Any:
    """For a name in letters that the embedded fonts lack: with what the machine has and, where that lacks them too,
    as plain PDF with empty boxes, so that nobody goes without. The pages show the name right in any case."""
    compiler = typst.Compiler(template, sys_inputs=told)
    try:
        return compiler.compile(format="pdf", pdf_standards=[*STANDARDS], timestamp=timestamp)
    except typst.TypstError:
        log.warning("name_without_letters", number=number)
        return compiler.compile(format="pdf", timestamp=timestamp)


@cache
def compiler(template: Path) -> typst.Compiler:
    """The compiler of one template, with typst's own fonts alone."""
    if _forked_from_a_compiler:
        raise RuntimeError("forked from a process that has made documents; typst would hang here")
    return typst.Compiler(template, ignore_system_fonts=True, sys_inputs={"data": "{}"})


_forked_from_a_compiler = False


def _after_fork() -> None:
    global _forked_from_a_compiler
    if compiler.cache_info().currsize:
        _forked_from_a_compiler = True
        compiler.cache_clear()


os.register_at_fork(after_in_child=_after_fork)
