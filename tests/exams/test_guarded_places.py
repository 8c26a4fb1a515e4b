"""No place of the platform makes the engine rule, or shows what is right, without saying how exams are kept safe."""

import ast
from pathlib import Path

# Everything in the platform that makes the engine rule, and why it tells nobody what an exam asks.
RULES = {
    "training/api/engine.py": "verify_open; what is generated is passed over by candidates.offer",
    "training/demo/training_data.py": "makes demo data",
    "training/desk/case_context.py": "Watch; the case itself: verify_open in around_views",
    "training/desk/case_context_views.py": "verify_open",
    "training/desk/trial_views.py": "verify_open",
    "training/house/readings.py": "compares two rulings and tells neither",
    "training/lessons/examples.py": "Watch",
    "training/lessons/guide.py": "Watch",
    "training/lessons/guide_views.py": "the cases of guide",
    "training/library/generated.py": "Watch",
    "training/library/next_moment.py": "verify_open in next_moment",
    "training/library/version_diff.py": "Watches.close on the page of a version",
    "training/library/editor.py": "checked_for",
    "training/library/import_export_views.py": "ruling_for; what candidates.offer made",
    "training/library/guarded_cases.py": "the guard itself",
    "training/library/suspension.py": "compares two rulings for readers of the version; tells why the engine refuses",
    "training/library/reruling.py": "compares two rulings and tells neither",
    "training/library/ruled.py": "makes what is stored",
    "training/library/spreadsheet.py": "Watches",
    "training/platform/measure.py": "marks answers; who shows a mark asks first",
    "training/live_table/results.py": "rates the memory of rules and tells no ruling",
    "training/practice/reasoning.py": "who shows a mark asks first: drill_views, drill_shapes, record_views, desk",
    "training/practice/fresh.py": "Watch",
    "training/practice/services.py": "marks answers",
    "training/practice/what_if.py": "is_kept_out",
    "training/practice/wrong_rules.py": "names a misconception; of one answer only where its mark shows: drill_views",
    "training/practice/new_words.py": "is_kept_out",
    "training/classes/undoing.py": "counts which topics reveal a misconception",
    "training/lessons/law_changes.py": "Watch",
    "training/rulebooks/comparison.py": "Watch",
    "training/rulebooks/article_page.py": "the cases of examples",
    "training/sprint/kinds.py": "the cases of fresh",
    "training/sprint/services.py": "marks answers",
    "training/sprint/views.py": "is_kept_out",
    "exams/papers/inspection.py": "looks at forms and tells nobody",
    "exams/papers/pool.py": "makes forms",
    "exams/programmes/validation.py": "counts what can be made",
    "exams/programmes/telling_apart.py": "counts what forms tell apart",
    "exams/programmes/refresher.py": "counts what can be made",
    "exams/programmes/supplies.py": "counts what can be made",
    "exams/programmes/likeness.py": "compares cases and tells nobody",
    "exams/results/marking.py": "marks papers",
}
RULING = {"solve", "measure", "contrasts", "tried", "most_telling", "compare", "believed", "diagnosed", "told_apart"}
RULING_OF = {"rule", "generate"}  # as methods alone: the words are used otherwise too


def _rules(path: Path) -> bool:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Call):
            method = node.func.attr if isinstance(node.func, ast.Attribute) else ""
            name = node.func.id if isinstance(node.func, ast.Name) else method
            if name in RULING or method in RULING_OF:
                return True
    return False


def test_every_place_that_rules_says_how_it_is_guarded() -> None:
    """A new one must ask `training.library.guarded_cases` before it tells anybody, and say so above."""
    root = Path(__file__).parents[2]
    found = [path for room in ("training", "exams") for path in (root / room).rglob("*.py")]
    ruling = {str(path.relative_to(root)) for path in found if "migrations" not in path.parts and _rules(path)}
    assert ruling == set(RULES)


SHOWING = {  # who shows the mark of an answer or a whole paper, with what is right
    "training/api/drill_shapes.py": "is_kept_out",
    "training/classes/record_views.py": "is_kept_out",
    "training/desk/trial_views.py": "verify_open",
    "training/desk/views.py": "is_kept_out",
    "training/practice/drill_views.py": "is_kept_out",
    "exams/appeals/views.py": "is_closed_to: who decides an appeal must read what the bank keeps",
    "exams/results/paper.py": "is_reserved for candidates; items_shown, secret_sittings, is_closed_to for examiners",
}


def test_every_page_that_shows_a_marked_answer_says_how_it_is_guarded() -> None:
    root = Path(__file__).parents[2]
    found = {
        str(path.relative_to(root))
        for room in ("training", "exams")
        for path in (root / room).rglob("*.py")
        if any(
            isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "feedback"
            for node in ast.walk(ast.parse(path.read_text()))
        )
    }
    assert found == set(SHOWING)
