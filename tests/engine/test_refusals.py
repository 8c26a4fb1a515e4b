"""What a text leaves open is refused with the article that is silent: held for the code of both baccarat games."""

import ast
from pathlib import Path

import pytest

import rules_engine

GAMES = Path(rules_engine.__file__).parent / "games"
# Names of values in a message that hold an article, and a heading where a text has no numbers.
CITING = {"cite", "restoring", "table"}
HEADINGS = ("deducoes",)


def refusals(game: str) -> list[tuple[str, ast.expr]]:
    return [
        (f"{path.name}:{node.lineno}", node.args[0])
        for path in sorted((GAMES / game).rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "NotRegulated"
    ]


def names_an_article(message: ast.expr) -> bool:
    said = "".join(str(part.value) for part in ast.walk(message) if isinstance(part, ast.Constant))
    values = {part.id for part in ast.walk(message) if isinstance(part, ast.Name)}
    return any(letter.isdigit() for letter in said) or bool(values & CITING) or said.startswith(HEADINGS)


@pytest.mark.parametrize("game", ["chemin_de_fer", "ponto_banca"])
def test_every_refusal_names_an_article(game: str) -> None:
    found = refusals(game)
    assert found
    assert [where for where, message in found if not names_an_article(message)] == []
