"""What is odd but possible about the facts at a chemin de fer table, for the author.

An incident that is about such an oddity is not remarked upon.
"""

from collections.abc import Iterator
from itertools import pairwise

from rules_engine.authoring import Remark, Rulebook
from rules_engine.games.baccarat.cards import score
from rules_engine.games.chemin_de_fer.association import too_few_seated
from rules_engine.games.chemin_de_fer.books import PT, SANREMO
from rules_engine.games.chemin_de_fer.claims.facts import ClaimsOpen
from rules_engine.games.chemin_de_fer.game import GAME
from rules_engine.games.chemin_de_fer.order import seat_of
from rules_engine.games.chemin_de_fer.play.ponto_word import ponto_row_pt, ponto_row_sanremo
from rules_engine.games.chemin_de_fer.stakes.capital import ChangesBank
from rules_engine.games.chemin_de_fer.table import SEATS, Call, Situation, alone, is_natural, kind_of
from rules_engine.games.chemin_de_fer.third_card import CELLS, cell, row_of

# Incidents before the bank is on the table, or in which the bank changes.
NO_BANK_YET = ("hand_moment", "wrong_bank_announced", "bank_stated", "bank_being_set")
# Incidents about how many are seated.
FEW_SEATED = ("players_leave", "game_to_start")
BANK_CHANGES = ("betting_goes_on", "wrong_bank_announced")
# Incidents about a bancô that does not cover the bank, or is called by somebody who already plays.
OTHER_BANCO = ("banker_answers_banco", "banco_in_company", "cards_elsewhere")
# Incidents about what the ponto or the banker should have drawn.
PONTO_ERRS = (
    *("ponto_false_draw", "natural_not_shown", "changed_word", "wrong_word_repeated", "scores_to_read"),
    *("unclear_word", "ponto_has_extra_cards"),
)
BANKER_ERRS = ("banker_drew", "banker_has_extra_cards")
ENDED = ("coup_finished",)
WHOLE = ("banco", "banco_alone", "banco_sign")
# The order of calls: a call does not come before those in an earlier line. A bancô may come late.
TURNS = (
    *(("pass_bank", "first_hand", "offer_level", "take", "take_for", "let_go", "round_done", "auction_opens", "bid"),),
    *(("states_bank", "bank_of", "levels_bank"),),
    *(("place_bets", "who_banco", "who_completes", "see_stakes", "tout_va", "completes", "plays_equal"),),
    *(("closed",), ("dealt", "given_cards", "takes_cards", "card_out"), ("card", "no", "eight", "nine", "draws")),
)
TURN = {says: number for number, line in enumerate(TURNS) for says in line}


@GAME.remark
def about_the_bank(s: Situation, book: Rulebook) -> Iterator[Remark]:
    """One amount stated in several places: the bank, the call that states it and the stake that covers it."""
    kind = kind_of(s.incident)
    if s.in_play and not s.bank and kind not in NO_BANK_YET:
        yield Remark("bank_nothing", "bank")
    for index, call in enumerate(s.calls):
        stated = call.says in ("states_bank", "bank_of") and call.amount != s.bank
        if stated and kind not in BANK_CHANGES:
            yield Remark("bank_said", f"calls[{index}].amount", {"bank": s.bank, "said": call.amount})


@GAME.remark
def about_standing(s: Situation, book: Rulebook) -> Iterator[Remark]:
    """Portugal: somebody stands where nobody may, unless the house allows it. The incident may be about just that."""
    if book.coded_as not in PT or book.reads("PT25", "behind_nine"):
        return
    for index, place in enumerate(s.standing):
        if seat_of(place) == SEATS:
            yield Remark("beside_croupier", f"standing[{index}]", {"player": place})


@GAME.remark
def about_sums(s: Situation, book: Rulebook) -> Iterator[Remark]:
    """A bank below the minimum, a bank that cannot be made of the table's chips, and a change that changes nothing."""
    kind = kind_of(s.incident)
    if 0 < s.bank < s.minimum and kind not in NO_BANK_YET:
        yield Remark("bank_small", "bank", {"bank": s.bank, "minimum": s.minimum}, "35" if book.coded_as in PT else "")
    if s.unit and s.bank % s.unit:
        yield Remark("bank_uneven", "bank", {"bank": s.bank, "unit": s.unit})
    if isinstance(s.incident, ChangesBank) and s.incident.to == s.bank and not s.incident.new_shoe:
        yield Remark("bank_unchanged", "incident.to", {"bank": s.bank})


@GAME.remark
def about_seats(s: Situation, book: Rulebook) -> Iterator[Remark]:
    """A game that goes on although too few are seated for one."""
    least = "min_seated_players"
    if least in book.law.numbers and len(s.seats) < book.number(least) and kind_of(s.incident) not in FEW_SEATED:
        values = {"seated": len(s.seats), "least": book.number(least)}
        yield Remark("few_seated", "seats", values, "16" if book.coded_as in PT else "2 s1")


@GAME.remark
def about_open_claims(s: Situation, book: Rulebook) -> Iterator[Remark]:
    """Dealt cards that lie face up while it is still asked who plays them."""
    dealt = [f"{name}.{number}" for name in ("ponto", "banker") for number in range(1, len(s.heap(name)) + 1)]
    if isinstance(s.incident, ClaimsOpen) and set(dealt) - set(s.hidden):
        yield Remark("cards_up_early", "ponto" if s.ponto else "banker_cards")


@GAME.remark
def about_chips(s: Situation, book: Rulebook) -> Iterator[Remark]:
    """Whoever calls bancô has the whole bank in front of him, and whoever has it there has called."""
    early = _until(s, "closed")
    whole = {call.by for call in early if call.says in WHOLE}
    callers = {call.by for call in s.calls if call.says.startswith("banco") or call.says == "suivi"}
    chips = {stake.player for stake in s.stakes}
    cite = "45 s1" if book.coded_as in PT else ""
    kind = kind_of(s.incident)
    # Where the bank has to be found out, no bancô is short of it; Sanremo rules on one that is.
    short = kind in {*OTHER_BANCO, *NO_BANK_YET} or (book.coded_as == SANREMO and kind == "claims_open")
    for index, stake in enumerate(s.stakes):
        player, fact = stake.player, f"stakes[{index}]"
        if player in whole and stake.amount != s.bank and not short:
            values = {"player": player, "amount": stake.amount, "bank": s.bank}
            yield Remark("banco_stake", f"{fact}.amount", values, cite)
        if player not in callers and callers - {"croupier"} and stake.amount == s.bank and not callers & chips:
            yield Remark("chips_without_call", f"{fact}.player", {"player": player}, cite)


@GAME.remark
def about_hands(s: Situation, book: Rulebook) -> Iterator[Remark]:
    """Hands drawn against the table, unless that is the incident."""
    if book.coded_as not in (*PT, SANREMO) or len(s.ponto) < 2:
        return
    if kind_of(s.incident) not in PONTO_ERRS:
        yield from _ponto(s, book)
    if kind_of(s.incident) not in BANKER_ERRS and s.claim != "banco":
        yield from _banker(s, book)


def _ponto(s: Situation, book: Rulebook) -> Iterator[Remark]:
    words = [call.says for call in s.calls if call.by == "ponto"]
    points = score(s.ponto[:2])
    word = words[-1] if words else "card" if len(s.ponto) == 3 else ""
    free = (s.claim == "banco" or (book.coded_as == SANREMO and alone(s))) and not is_natural(s.ponto[:2])
    if free or word not in ("card", "no"):
        return
    table = "ponto_table" if book.coded_as in PT else "ponto_table_with_third_parties"
    duty = CELLS[book.param(table)[points]]
    cite = ponto_row_pt(points) if book.coded_as in PT else ponto_row_sanremo(points)
    if (word, duty) in (("card", "must_stand"), ("no", "must_draw")):
        yield Remark("ponto_drew" if word == "card" else "ponto_stood", "ponto", {"points": points}, cite)


def _banker(s: Situation, book: Rulebook) -> Iterator[Remark]:
    bound = book.coded_as in PT or "banker" in s.by_table
    if not bound or len(s.banker_cards) not in (2, 3) or len(s.ponto) > 3 or is_natural(s.ponto[:2]):
        return
    points, third = score(s.banker_cards[:2]), s.ponto[2] if len(s.ponto) == 3 else None
    duty, cite = CELLS[cell(book, points, third)], row_of(book, points, third)
    if len(s.banker_cards) == 3 and duty == "must_stand":
        yield Remark("banker_drew", "banker_cards", {"points": points}, cite)
    elif len(s.banker_cards) == 2 and duty == "must_draw" and kind_of(s.incident) in ENDED:
        yield Remark("banker_stood", "banker_cards", {"points": points}, cite)


@GAME.remark
def about_calls(s: Situation, book: Rulebook) -> Iterator[Remark]:
    """Calls that cannot follow each other, because each has its turn in the coup."""
    if kind_of(s.incident) in BANK_CHANGES:
        return
    known = [(index, call.says) for index, call in enumerate(s.calls) if call.says in TURN]
    for (_before, earlier), (index, later) in pairwise(known):
        if TURN[later] < TURN[earlier]:
            values = {"number": index + 1, "earlier": earlier, "later": later}
            yield Remark("calls_order", f"calls[{index}].says", values)


@GAME.remark
def about_partners(s: Situation, book: Rulebook) -> Iterator[Remark]:
    """A partnership at a table with too few seated players: somebody must have left since it was formed."""
    fact = s.incident.partner_fact()
    if fact and too_few_seated(s, book):
        yield Remark("partner_too_few", f"incident.{fact}", {"seated": len(s.seats)}, "82 s1")


def _until(s: Situation, says: str) -> tuple[Call, ...]:
    """What was said before this."""
    said = [call.says for call in s.calls]
    return s.calls[: said.index(says)] if says in said else s.calls
