"""Lets `make mutants` run these tests with one number of a rulebook changed."""

import ast
import os

if "SABOT_MUTANT" in os.environ:
    from rules_engine import rulebook
    from tests.mutants import apply

    _book, _path, _value = ast.literal_eval(os.environ["SABOT_MUTANT"])
    apply(rulebook(_book), _path, _value)
