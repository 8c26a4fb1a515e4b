"""The engine from the command line: `python -m rules_engine COMMAND`."""

import argparse
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import msgspec

from rules_engine import (
    GAMES,
    RULEBOOKS,
    EngineError,
    Rulebook,
    Ruling,
    Scenario,
    answer_from,
    compare,
    decode,
    encode,
    generate,
    grade,
    rulebook,
    topics,
)
from rules_engine.coverage import coverage
from rules_engine.difficulty import no_harder, scores
from rules_engine.idle import idle
from rules_engine.narration import ask, books_by_game, lost, narrate, reason, refusal, show
from rules_engine.odds import Odds
from rules_engine.play import Setup, decode_act, lines
from rules_engine.quality import PER_CASE, TopicQuality, document, houses, shortcomings, topic_quality
from rules_engine.schema import schema
from rules_engine.situation import convert
from rules_engine.words import FALLBACK, LANGUAGES

FAULTY_INPUT = 2
AddCommand = Callable[[Callable[[argparse.Namespace], int | None], str], argparse.ArgumentParser]


def main(arguments: list[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    try:
        return int(options.run(options) or 0)
    except EngineError as error:
        # Programs read the English text, with the path of the fact in the document.
        told = str(error) if options.language == FALLBACK else refusal(error, options.language)
        print(f"rules_engine: {told}", file=sys.stderr)
        return FAULTY_INPUT
    except OSError as error:
        print(f"rules_engine: {error}", file=sys.stderr)
        return FAULTY_INPUT


def _parser() -> argparse.ArgumentParser:
    versions = "\n".join(f"{game.id} {game.version}" for game in GAMES.values())
    parser = argparse.ArgumentParser(prog="rules_engine", description="Casino rulebooks that rule and explain.")
    parser.add_argument("--version", action="version", version=versions)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def command(run: Callable[[argparse.Namespace], int | None], help: str) -> argparse.ArgumentParser:
        sub = commands.add_parser(run.__name__.removesuffix("_command"), help=help)
        sub.add_argument("--json", action="store_true", help="print JSON")
        sub.add_argument("--language", default=FALLBACK, choices=LANGUAGES, help="language of the text (default: en)")
        sub.set_defaults(run=run)
        return sub

    _scenario_commands(command)
    _report_commands(command)
    return parser


def _scenario_commands(command: AddCommand) -> None:
    command(rulebooks_command, "list the rulebooks")
    sub = command(topics_command, "list the topics of a rulebook")
    sub.add_argument("--rulebook", required=True)
    sub = command(generate_command, "make a scenario; prints JSON")
    sub.add_argument("--rulebook", required=True)
    sub.add_argument("--topic")
    sub.add_argument("--article")
    sub.add_argument("--seed", required=True)
    sub.add_argument("--difficulty", type=int, default=2)
    sub = command(solve_command, "rule on a scenario, with the articles")
    sub.add_argument("file", type=Path, help="scenario as JSON, - for standard input")
    sub = command(grade_command, "grade an answer to a scenario")
    sub.add_argument("file", type=Path, help="scenario as JSON")
    sub.add_argument("answer", type=Path, help="answer as JSON")
    sub = command(compare_command, "rule on a scenario under every rulebook of its game")
    sub.add_argument("file", type=Path, help="scenario as JSON")
    sub = command(play_command, "run a live table; prints events, duties and totals as JSON lines")
    sub.add_argument("--rulebook", required=True)
    sub.add_argument("--seed", required=True)
    sub.add_argument("--coups", type=int, required=True)
    sub.add_argument("--faults", type=float, default=0.1, help="share of coups with a fault (default: 0.1)")
    sub.add_argument("--acts", type=Path, help="acts of the dealer, one JSON object a line; otherwise all that is due")


def _report_commands(command: AddCommand) -> None:
    sub = command(coverage_command, "say which articles generated scenarios really turned on")
    sub.add_argument("--rulebook", help="only this one")
    sub.add_argument("--scenarios", type=int, default=20, help="scenarios for each case (default: 20)")
    sub = command(
        quality_command, "measure whether scenarios can be guessed, grow harder and differ; 1 if one falls short"
    )
    sub.add_argument("--rulebook", help="only this one")
    sub.add_argument("--topic", help="only this one")
    sub.add_argument(
        "--scenarios", type=int, default=PER_CASE, help=f"at least so many of each case and level (default: {PER_CASE})"
    )
    sub.add_argument("--doc", type=Path, help="write the table of the topics into this page")
    command(schema_command, "print the JSON Schema of scenarios, rulings, answers and marks")
    sub = command(odds_command, "exact chances and house edges of a game")
    sub.add_argument("--decks", type=int, help="packs in the shoe, where the game has one (default: 8)")
    sub.add_argument("--rulebook", default="pt-ponto-banca-macau", help="whose law")


def rulebooks_command(options: argparse.Namespace) -> None:
    rows = [
        {"id": book.id, "game": book.game.id, "language": book.language, "topics": len(topics(book.id))}
        for book in RULEBOOKS.values()
    ]
    lines = []
    for game, listed in books_by_game(options.language):
        lines += [game, *(f"  {id:28}{len(topics(id)):3} topics  {name}" for id, name in listed)]
    _print(rows, options, "\n".join(lines))


def topics_command(options: argparse.Namespace) -> None:
    names = topics(options.rulebook)
    _print(names, options, "\n".join(names))


def generate_command(options: argparse.Namespace) -> None:
    scenario = generate(options.rulebook, options.topic, options.seed, options.difficulty, article=options.article)
    print(msgspec.json.format(encode(scenario), indent=2).decode())


def solve_command(options: argparse.Namespace) -> None:
    scenario = decode(_read(options.file))
    ruling = scenario.solve()
    _print(ruling, options, _ruling_text(scenario, ruling, options.language))


def grade_command(options: argparse.Namespace) -> None:
    scenario = decode(_read(options.file))
    try:
        answer = answer_from(msgspec.json.decode(_read(options.answer)))
    except msgspec.DecodeError as error:
        raise EngineError("not JSON: {error}", fact="answer", error=str(error)) from None
    mark = grade(scenario, answer)
    lines = [f"{mark.points} of {mark.of}"]
    for part in mark.parts:
        note = lost(part, scenario.book, options.language)
        lines.append(f"  {'+' if part.correct else '-'} {part.key}: {part.given!r} {note}".rstrip())
    _print(mark, options, "\n".join(lines))


def compare_command(options: argparse.Namespace) -> None:
    scenario = decode(_read(options.file))
    found = compare(scenario.situation, options.language)
    lines = [f"{id}: {reason}" for id, reason in found.silent.items()]
    for id, ruling in found.rulings.items():
        lines += ["", f"{id}"]
        for decision in ruling.decisions:
            mark = "≠" if decision.key in found.differing else " "
            value = show(decision.key, decision.kind, decision.value, RULEBOOKS[id], options.language)
            lines.append(f"  {mark} {decision.key}: {value}")
    _print(found, options, "\n".join(lines))


def play_command(options: argparse.Namespace) -> None:
    given = {"rulebook": options.rulebook, "seed": options.seed, "coups": options.coups, "faults": options.faults}
    acts = map(decode_act, _read(options.acts).splitlines()) if options.acts else None
    for line in lines(convert(given, Setup, "setup"), acts):
        print(line.decode())


def coverage_command(options: argparse.Namespace) -> int:
    books = [rulebook(options.rulebook)] if options.rulebook else list(RULEBOOKS.values())
    report = {book.id: coverage(book, options.scenarios, options.language) for book in books}
    lines = []
    for id, rows in report.items():
        for row in rows:
            state = "MISSING" if row.lacking else "" if row.cited else "not tested"
            counts = f"{row.cited:6}{row.turned_on:6}"
            lines.append(f"{id}  {row.cite:14}{row.kind:14}{counts}  {', '.join(row.rules)} {state}".rstrip())
    lacking = sum(row.lacking for rows in report.values() for row in rows)
    lines.append(f"{lacking} rows without a scenario that turned on them")
    _print(report, options, "\n".join(lines))
    return 1 if lacking else 0


def quality_command(options: argparse.Namespace) -> int:
    books = [rulebook(options.rulebook)] if options.rulebook else list(RULEBOOKS.values())
    chosen = [(book, topic) for book in books for topic in topics(book.id) if options.topic in (None, topic)]
    found = [
        (book, topic_quality(house, topic, options.scenarios))
        for book, topic in chosen
        for house in houses(book, topic)
    ]
    short = [shortcomings(item, book) for book, item in found]
    lines = [_quality_line(item, lacking) for (_, item), lacking in zip(found, short, strict=True)]
    # An option may be right only in another topic, so options are measured over all topics.
    never = [
        f"{book.id}: ! {line}"
        for book in (books if options.topic is None else ())
        for line in idle((offer for of, item in found if of is book for offer in item.offers), book)
    ]
    if options.doc:
        options.doc.write_text(document(options.doc.read_text("utf-8"), [item for _, item in found]), encoding="utf-8")
    levels = [line for book in (books if options.topic is None else ()) for line in _rulebook_lines(book, found)]
    _print([item for _, item in found], options, "\n".join(lines + levels + never))
    return int(any(short) or bool(never) or any("!" in line for line in levels))


def _rulebook_lines(book: Rulebook, found: list[tuple[Rulebook, TopicQuality]]) -> list[str]:
    """The levels of a whole rulebook."""
    levels = {item.topic: item.levels for of, item in found if of is book}
    told = " ".join(f"{score:.3f}" for score in scores(book.game, levels))
    return [f"{book.id}: score {told}", *(f"{book.id}: ! {line}" for line in no_harder(book.game, levels))]


def _quality_line(found: TopicQuality, short: list[str]) -> str:
    most = max((guess.share for guess in found.guesses), default=0)
    gained = max((one.most for one in found.predictions), default=0)
    work = " ".join(f"{level.steps:.1f}/{level.decisive:.1f}/{level.tempting:.1f}" for level in found.levels)
    score = " ".join(f"{level.score:.2f}" for level in found.levels)
    guessed = f"guess {most:.0%}, predicted {100 * gained:+.0f}"
    varied = f"combined {found.combined.share:.0%}, structures {found.structures:.0f}"
    measured = f"{guessed}, {varied}, work {work}, score {score}"
    head = f"{found.rulebook} {found.topic}: {measured}"
    return "\n".join([head, *(f"    ! {line.partition(': ')[2]}" for line in short)])


def schema_command(options: argparse.Namespace) -> None:
    print(msgspec.json.format(encode(schema()), indent=2).decode())


def odds_command(options: argparse.Namespace) -> None:
    book = rulebook(options.rulebook)
    if book.game.odds is None:
        raise EngineError("{book:rulebook} has no chances to work out", fact="rulebook", book=book.id)
    found: Odds = book.game.odds(book, **({"decks": options.decks} if options.decks is not None else {}))
    lines = [f"{found.rulebook}, {found.of}"]
    lines += _columns((name, f"{chance:.6f}") for name, chance in found.probability.items())
    lines += ["", "house edge"]
    lines += _columns((edge.chance, f"{edge.pays:>3} to 1", f"{edge.edge:.6f}") for edge in found.edges)
    _print(found, options, "\n".join(lines))


def _columns(rows: Iterable[tuple[str, ...]]) -> list[str]:
    """Rows as lines: the first column to the left, the others to the right, each as wide as its longest entry."""
    found = list(rows)
    first, *widths = [max(map(len, column)) for column in zip(*found, strict=True)] or [0]
    return ["  ".join((row[0].ljust(max(first, 12)), *map(str.rjust, row[1:], widths))) for row in found]


def _ruling_text(scenario: Scenario, ruling: Ruling, language: str) -> str:
    book, situation = scenario.book, scenario.situation
    lines = narrate(situation, book, language)
    lines.append("")
    for number, step in enumerate(ruling.steps, 1):
        lines.append(f"{number}. [{step.cite}] {reason(step, book, language)}")
    lines.append("")
    for decision in ruling.decisions:
        question = ask(decision.key, situation, book, language)
        lines.append(f"{question} {show(decision.key, decision.kind, decision.value, book, language)}")
    return "\n".join(lines)


def _read(path: Path) -> bytes:
    return sys.stdin.buffer.read() if str(path) == "-" else path.read_bytes()


def _print(value: Any, options: argparse.Namespace, text: str) -> None:
    print(msgspec.json.format(encode(value), indent=2).decode() if options.json else text)


if __name__ == "__main__":
    sys.exit(main())
