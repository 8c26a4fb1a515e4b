"""The games that the engine knows. A line here enrols one; nothing else in the engine names a game."""

from rules_engine.game import enrol
from rules_engine.games import (
    banca_francesa,
    black_jack,
    chemin_de_fer,
    craps,
    cussec,
    machines,
    ponto_banca,
    roulette,
)

enrol(
    chemin_de_fer.GAME,
    ponto_banca.GAME,
    roulette.GAME,
    banca_francesa.GAME,
    black_jack.GAME,
    craps.GAME,
    cussec.GAME,
    machines.GAME,
)
