"""Everything the modules of a game use from the core: `from rules_engine.authoring import Draw, Reasoning, …`."""

from rules_engine.announcements import ScoreName
from rules_engine.cases import variant
from rules_engine.documents import Document, Sort
from rules_engine.draw import Draw, Drawn, between, chance, one_of
from rules_engine.equipment.cards import PACK, RANKS, SUITS, Card, CardTable, check_cards
from rules_engine.equipment.chips import collected, staying
from rules_engine.equipment.dice import FACES, Face, Throw, alike, throws
from rules_engine.equipment.layout import Spot, SpotKey
from rules_engine.equipment.places import MOST_SEATS, PLACE, Place, Seat, Seated, check_calls, check_present
from rules_engine.errors import EngineError, ImpossibleFacts, NotRegulated, UnknownName
from rules_engine.game import Game, rulebook
from rules_engine.odds import Odds, Price, odds_of
from rules_engine.remarks import Remark
from rules_engine.rulebook import Rulebook
from rules_engine.ruling import After, Fact, Payment, Reasoning, Utterance
from rules_engine.situation import Pointer, Sentence, Sum, kind_of, manner
from rules_engine.tables import Table, UnfitTable, check_chips

__all__ = [
    "FACES",
    "MOST_SEATS",
    "PACK",
    "PLACE",
    "RANKS",
    "SUITS",
    "After",
    "Card",
    "CardTable",
    "Document",
    "Draw",
    "Drawn",
    "EngineError",
    "Face",
    "Fact",
    "Game",
    "ImpossibleFacts",
    "NotRegulated",
    "Odds",
    "Payment",
    "Place",
    "Pointer",
    "Price",
    "Reasoning",
    "Remark",
    "Rulebook",
    "ScoreName",
    "Seat",
    "Seated",
    "Sentence",
    "Sort",
    "Spot",
    "SpotKey",
    "Sum",
    "Table",
    "Throw",
    "UnfitTable",
    "UnknownName",
    "Utterance",
    "alike",
    "between",
    "chance",
    "check_calls",
    "check_cards",
    "check_chips",
    "check_present",
    "collected",
    "kind_of",
    "manner",
    "odds_of",
    "one_of",
    "rulebook",
    "staying",
    "throws",
    "variant",
]
