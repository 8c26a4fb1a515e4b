"""The cloth of every game: how its table is laid out. One line enrols a game."""

from collections.abc import Callable

from training.drawing.cloths.chemin_de_fer import chemin_de_fer
from training.drawing.cloths.ponto_banca import ponto_banca
from training.drawing.cloths.roulette import roulette
from training.drawing.drawing import Drawing
from training.drawing.scene import Scene

Cloth = Callable[[Scene], Drawing]

CLOTHS: dict[str, Cloth] = {
    "chemin_de_fer": chemin_de_fer,
    "ponto_banca": ponto_banca,
    "roulette": roulette,
}
