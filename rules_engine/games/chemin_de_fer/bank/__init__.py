"""The bank changes hands: turns, passing, offers, auctions, partners."""

from rules_engine.games.chemin_de_fer.bank import (  # noqa: F401
    absent,
    auction,
    bidding,
    buyer,
    buyers_partner,
    changed_seat,
    conduct,
    former_banker,
    movers,
    offer,
    out_of_turn,
    palette,
    partners,
    passing,
    sees_stakes,
    turn,
)
