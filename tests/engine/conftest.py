"""Lets `make mutants` run these tests with one number of a rulebook changed."""

import ast
import os

from rules_engine import rulebook
from tests.mutants import VARIABLE, apply

if VARIABLE in os.environ:
    _book, _path, _value = ast.literal_eval(os.environ[VARIABLE])
    apply(rulebook(_book), _path, _value)
