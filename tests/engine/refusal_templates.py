"""Every sentence of a refusal that the sources hold, by the package that raises it.

What the platform raises as an error of the engine is told in the words of the core.
"""

import ast
from functools import cache
from pathlib import Path

import rules_engine
from rules_engine.misfits import SAID

ENGINE = Path(rules_engine.__file__).parent
ROOT = ENGINE.parent
SOURCES = ("rules_engine", "training", "exams")
RAISED = ("EngineError", "ImpossibleFacts", "NotRegulated", "UnfitTable", "UnknownName")
# The errors that name a fact before they say what is wrong with it.
OF_A_FACT = ("ImpossibleFacts", "UnfitTable")
CORE = "core"
# What is added to an unknown name, and what the checking library says where we have no words for it.
ADDED = ("; known: {known}",)


@cache
def calls() -> list[tuple[str, str, ast.Call]]:
    """The package, the place and the call of every error that is made."""
    made: list[tuple[str, str, ast.Call]] = []
    for path in (found for folder in SOURCES for found in sorted((ROOT / folder).rglob("*.py"))):
        place = path.relative_to(ROOT)
        package = place.parts[2] if place.parts[1] == "games" and len(place.parts) > 3 else CORE
        made += [
            (package, f"{place}:{node.lineno}", node)
            for node in ast.walk(ast.parse(path.read_text("utf-8")))
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in RAISED
        ]
    return made


def sentence(call: ast.Call) -> ast.expr:
    """The argument that says what is wrong."""
    assert isinstance(call.func, ast.Name)
    return call.args[1 if call.func.id in OF_A_FACT else 0]


@cache
def templates() -> dict[str, set[str]]:
    found: dict[str, set[str]] = {CORE: {*SAID.values(), *ADDED}}
    for package, _where, call in calls():
        said = sentence(call)
        if isinstance(said, ast.Constant):
            text, unknown = str(said.value), isinstance(call.func, ast.Name) and call.func.id == "UnknownName"
            found.setdefault(package, set()).add(f"unknown {text} {{name!r}}" if unknown else text)
    return found
