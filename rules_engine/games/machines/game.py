"""The game of machines."""

from rules_engine.authoring import MOST_SEATS, Game, Spot
from rules_engine.games.machines.books import BOOKS
from rules_engine.games.machines.table import Incident, Situation

GAME = Game(
    "machines",
    version="1.8.0",
    situation=Situation,
    incident=Incident,
    books=BOOKS,
    topics=("paying", "counters", "play", "disputes", "jackpot", "plan", "procedures"),
    ordinary={
        "seats": [1, 2],
        "machines": [
            {"number": 1, "model": "caravela", "stake": 100, "player": "1"},
            {"number": 2, "model": "caravela", "stake": 100, "player": "2"},
            {"number": 3, "model": "caravela", "stake": 100},
        ],
    },
    staff=("nobody",),
    groups={"people": ("seats", "standing"), "said": ("calls",), "table": ("machines",)},
    # A machine is pointed at as a spot of the row.
    spots={str(number): Spot(str(number), "machine", (number,)) for number in range(1, MOST_SEATS + 1)},
    pointing=dict.fromkeys(("gets", "moves_to"), "spot"),
    # There are no seats: a player has a number, and whoever stands is a guest who does not play yet.
    names={"player.seat": "player.numbered", "place.seat": "player.numbered", "player.standing": "player.guest"},
)
rule, case, case_table, domain = GAME.rule, GAME.case, GAME.case_table, GAME.domain
