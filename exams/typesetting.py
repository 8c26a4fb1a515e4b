"""Printable documents as PDF/A-2a and PDF/UA-1, made by typst from a template with its own fonts.

They are made in the calling process (a web worker or a queue worker) in about ten milliseconds, without files or other
programs. Typst hangs in a process forked from one that has compiled; ours never fork after starting to work, and
`compiler` raises instead of hanging should that change.
"""

import json
import os
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any, Literal

import structlog
import typst

from training.platform.italian import elided

log = structlog.get_logger(__name__)

STANDARDS: list[Literal["a-2a", "ua-1"]] = ["a-2a", "ua-1"]  # for archiving, and for screen readers
NO_GLYPH = "could not be displayed"  # typst's message if no font has a letter


def typeset(template: Path, inputs: dict[str, Any], *, at: datetime) -> bytes:
    """The PDF of a template filled with `inputs`. Dated `at`, so that it is byte-identical each time.

    `inputs["number"]` names it in the log.
    """
    data, timestamp = {"data": elided(json.dumps(inputs))}, int(at.timestamp())
    try:
        made: Any = compiler(template).compile(
            format="pdf", pdf_standards=[*STANDARDS], timestamp=timestamp, sys_inputs=data
        )
    except typst.TypstError as error:
        if NO_GLYPH not in error.message:
            raise
        made = _with_other_fonts(template, inputs["number"], data, timestamp=timestamp)
    return one_file(made)


def one_file(made: object) -> bytes:
    """Returns typst's output. Raises TypeError unless it is a single document."""
    if not isinstance(made, bytes):
        raise TypeError("typst gave no single document")
    return made


def _with_other_fonts(template: Path, number: str, data: dict[str, str], *, timestamp: int) -> Any:
    """For names with letters missing from the embedded fonts: uses the machine's fonts and, if those lack them too,
    plain PDF with empty boxes. The web pages show the name correctly in any case."""
    compiler = typst.Compiler(template, sys_inputs=data)
    try:
        return compiler.compile(format="pdf", pdf_standards=[*STANDARDS], timestamp=timestamp)
    except typst.TypstError:
        log.warning("name_without_letters", number=number)
        return compiler.compile(format="pdf", timestamp=timestamp)


@cache
def compiler(template: Path) -> typst.Compiler:
    """The compiler of one template, with typst's own fonts only."""
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
