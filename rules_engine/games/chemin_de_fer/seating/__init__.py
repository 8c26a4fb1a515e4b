"""Seats: their numbers, bookings, empty seats, waiting lists and standing players."""

from rules_engine.games.chemin_de_fer.seating import (  # noqa: F401
    booking,
    empty_seat,
    numbers,
    standing,
    standing_rights,
    waiting_list,
)
