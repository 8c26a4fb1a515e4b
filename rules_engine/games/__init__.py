"""The games that the engine knows. A line here enrols one; nothing else in the engine names a game."""

from rules_engine.game import enrol
from rules_engine.games import chemin_de_fer, ponto_banca, roulette

enrol(chemin_de_fer.GAME, ponto_banca.GAME, roulette.GAME)
