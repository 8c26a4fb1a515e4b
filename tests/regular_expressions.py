"""Every regular expression of the code with how it is used, and how its work grows with a text made to hurt it.

Python's engine goes back when it fails, so that some expressions need the square of the text's length, or worse. Each
here is tried on texts pumped from its own signs: a text four times as long may take about four times the work.
"""

import ast
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from itertools import product
from math import inf
from pathlib import Path
from re import _constants as signs
from re import _parser as parser
from types import ModuleType
from typing import Any

ROOT = Path(__file__).parent.parent
PACKAGES = ("rules_engine", "training", "exams")
USES = ("match", "fullmatch", "search", "findall", "finditer", "sub", "subn", "split")
TINY = (24, 48, 100, 400)  # letters: whoever needs long for so few will never be done with many
SHORT, LONG = 3_000, 12_000  # letters
QUICK = 0.001  # seconds in which anything linear is done with the short text
MOST = 9.0  # times the work for four times the text: a straight line has 4, a square 16
PAIRED = 10  # of them also two by two
ENOUGH = 12  # different signs of an expression are tried
JS = re.compile(
    r"(?<=[(=!?:&|,; ])"
    r"/((?:[^/\\\n\[*]|\\.|\[(?:[^\]\\\n]|\\.)*\])(?:[^/\\\n\[]|\\.|\[(?:[^\]\\\n]|\\.)*\])*)/[gimsuy]*[.,)]"
)


@dataclass(frozen=True)
class Expression:
    pattern: str | bytes
    flags: int
    use: str
    place: str


# ---- finding them


def all_expressions(samples: dict[str, dict[str, Any]]) -> Iterator[Expression]:
    """Those of all modules and scripts. `samples` are names for expressions that are put together at run time."""
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            if "migrations" not in path.parts and path.name != "__main__.py":
                yield from _of_module(path, samples)
    for path in sorted((ROOT / "training" / "static").rglob("*.js")):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            for found in JS.finditer(line):
                yield Expression(found[1], 0, "search", f"{path.relative_to(ROOT)}:{number}")


def _of_module(path: Path, samples: dict[str, dict[str, Any]]) -> Iterator[Expression]:
    tree = ast.parse(path.read_text())
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    given: list[tuple[ast.Call | ast.Assign, ast.expr, str]] = [
        (call, *found) for call in calls if (found := _pattern_of(call))
    ]
    given += [
        (node, node.value, "fullmatch")
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id == "regex"
    ]
    if not given:
        return
    module = import_module(".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"))
    for node, argument, use in given:
        place = f"{path.relative_to(ROOT)}:{node.lineno}"
        pattern, flags = _value(argument, module, place, samples), _flags(node, module)
        name = _name_of(tree, node)
        for each in [use] if use else _uses(name, tree):
            yield Expression(pattern, flags, each, place)


def _pattern_of(call: ast.Call) -> tuple[ast.expr, str] | None:
    """The expression in a call and its use; none where the call has nothing to do with them."""
    function = call.func
    called = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    of_re = isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name) and function.value.id == "re"
    if of_re and called in (*USES, "compile"):
        return call.args[0], "" if called == "compile" else called
    if called in ("re_path", "RegexField", "RegexValidator") and call.args:
        return call.args[0], "search"
    if called == "Meta":
        return next(((one.value, "search") for one in call.keywords if one.arg == "pattern"), None)
    return None


def _value(argument: ast.expr, module: ModuleType, place: str, samples: dict[str, dict[str, Any]]) -> str | bytes:
    names = {**vars(module), **samples.get(place.rpartition(":")[0], {})}
    try:
        made = eval(compile(ast.Expression(argument), place, "eval"), names)
    except NameError as error:
        raise AssertionError(f"{place} is put together at run time: give a sample of it ({error})") from None
    return made if isinstance(made, str | bytes) else str(made)


def _flags(node: ast.AST, module: ModuleType) -> int:
    if not isinstance(node, ast.Call):
        return 0
    wanted = [one for one in ast.walk(node) if isinstance(one, ast.Attribute) and one.attr.isupper()]
    return sum(getattr(re, one.attr, 0) for one in wanted if isinstance(one.value, ast.Name) and one.value.id == "re")


def _name_of(tree: ast.Module, node: ast.AST) -> str:
    for one in ast.walk(tree):
        if isinstance(one, ast.Assign) and one.value is node and isinstance(one.targets[0], ast.Name):
            return one.targets[0].id
    return ""


def _uses(name: str, tree: ast.Module) -> list[str]:
    """How a compiled expression is used in its module; any way where it is handed on."""
    found = {
        one.attr
        for one in ast.walk(tree)
        if isinstance(one, ast.Attribute) and isinstance(one.value, ast.Name) and one.value.id == name
    }
    return sorted(found & set(USES)) or ["search"]


# ---- hurting them


def _letters(pattern: str | bytes, flags: int) -> list[str]:
    """Signs that the expression speaks of, and one that it does not."""
    found: dict[str, None] = {}

    def walk(part: Any) -> None:
        if isinstance(part, parser.SubPattern | list):
            for one in part:
                walk(one)
        elif isinstance(part, tuple) and part and part[0] in (signs.LITERAL, signs.NOT_LITERAL):
            found[chr(part[1])] = None
        elif isinstance(part, tuple) and part and part[0] is signs.RANGE:
            found[chr(part[1][0])] = None
        elif isinstance(part, tuple) and part and part[0] is signs.CATEGORY:
            found[_sign(part[1])] = None
        elif isinstance(part, tuple):
            for one in part:
                walk(one)

    walk(parser.parse(pattern, flags & ~re.UNICODE if isinstance(pattern, bytes) else flags))
    return list(dict.fromkeys([*list(found)[:ENOUGH], " ", "0", "a"]))


def _beginnings(pattern: str | bytes, flags: int) -> list[str]:
    """What brings the engine as far as each part of the expression: the least words up to there, with what may be
    left out and without."""
    parts = list(parser.parse(pattern, flags))
    ends = range(len(parts) + 1)
    return list(dict.fromkeys("".join(_least(one, least) for one in parts[:end]) for end in ends for least in (0, 1)))


def _sign(category: object) -> str:
    told = str(category).removeprefix("CATEGORY_")
    return {"DIGIT": "0", "SPACE": " ", "NOT_WORD": "-"}.get(told, "a")


def _least(node: Any, times: int) -> str:
    """A short text that a part of an expression matches; what may be left out stands in it so many times."""
    kind, inside = node
    if kind is signs.LITERAL:
        return chr(inside)
    if kind is signs.IN:
        return "a" if inside[0][0] is signs.NEGATE else _least(inside[0], times)
    if kind is signs.RANGE:
        return chr(inside[0])
    if kind is signs.CATEGORY:
        return _sign(inside)
    if kind in (signs.MAX_REPEAT, signs.MIN_REPEAT, signs.POSSESSIVE_REPEAT):
        least, _most, repeated = inside
        return "".join(_least(one, times) for one in repeated) * max(times, least)
    if kind is signs.SUBPATTERN:
        return "".join(_least(one, times) for one in inside[-1])
    if kind is signs.BRANCH:
        return "".join(_least(one, times) for one in inside[1][0])
    return "" if kind in (signs.AT, signs.ASSERT, signs.ASSERT_NOT, signs.GROUPREF) else "a"


def texts(expression: Expression) -> Iterator[Callable[[int], str]]:
    letters = _letters(expression.pattern, expression.flags)
    pumps = [*letters, *(one + other for one, other in product(letters[:PAIRED], repeat=2) if one != other)]
    for beginning in _beginnings(expression.pattern, expression.flags):
        for pump in pumps:
            yield lambda size, beginning=beginning, pump=pump: (  # type: ignore[misc]
                beginning + pump * (size // len(pump)) + "\N{SNOWMAN}"
            )


def _work(expression: Expression, text: str) -> float:
    compiled = re.compile(expression.pattern, expression.flags)
    given: Any = text.encode("utf-8") if isinstance(expression.pattern, bytes) else text
    use = getattr(compiled, "finditer" if expression.use in ("findall", "sub", "subn", "split") else expression.use)
    begun = time.process_time()
    found = use(given)
    if not isinstance(found, re.Match) and found is not None:
        for _one in found:
            pass
    return time.process_time() - begun


def growth(expression: Expression) -> float:
    """How many times the work a text of four times the length takes, at the worst; 4 where it is quick anyway."""
    worst = 4.0
    for text in texts(expression):
        if any(_least_work(expression, text(size)) >= QUICK for size in TINY):
            return inf
        short = _least_work(expression, text(SHORT))
        if short >= QUICK:
            worst = max(worst, _least_work(expression, text(LONG)) / short)
        if worst > MOST:
            break
    return worst


def _least_work(expression: Expression, text: str) -> float:
    """Once where it is quick; else the least of three, as the machine may have been busy."""
    once = _work(expression, text)
    return once if once < QUICK else min(once, *(_work(expression, text) for _ in range(2)))
