"""The cloth of every game, which lays out its table. One line here adds a game."""

from collections.abc import Callable

from training.drawing.cloths.banca_francesa.cloth import banca_francesa
from training.drawing.cloths.black_jack.cloth import black_jack
from training.drawing.cloths.chemin_de_fer.cloth import chemin_de_fer
from training.drawing.cloths.chemin_de_fer.ending import MOVES as CHEMIN_DE_FER_MOVES
from training.drawing.cloths.craps.cloth import craps
from training.drawing.cloths.cussec.cloth import cussec
from training.drawing.cloths.machines.cloth import machines
from training.drawing.cloths.ponto_banca.cloth import ponto_banca
from training.drawing.cloths.roulette.cloth import roulette
from training.drawing.drawing import Drawing
from training.drawing.scene import Scene

Cloth = Callable[[Scene], Drawing]

CLOTHS: dict[str, Cloth] = {
    "chemin_de_fer": chemin_de_fer,
    "ponto_banca": ponto_banca,
    "roulette": roulette,
    "banca_francesa": banca_francesa,
    "black_jack": black_jack,
    "craps": craps,
    "cussec": cussec,
    "machines": machines,
}
# The decisions that move something at the table besides cards, payments and marks.
MOVES: dict[str, tuple[str, ...]] = {"chemin_de_fer": CHEMIN_DE_FER_MOVES}
