"""Between two coups: the hand stays, passes or is passed on, and the facts that the next coup starts from."""

from typing import Any

from msgspec import structs

from rules_engine.games.chemin_de_fer.bank.offer import HandOffered
from rules_engine.games.chemin_de_fer.bank.passing import PassesBank
from rules_engine.games.chemin_de_fer.bank.places import next_seated
from rules_engine.games.chemin_de_fer.bank.turn import CoupOver
from rules_engine.games.chemin_de_fer.flow.coup import Coup, transfer
from rules_engine.games.chemin_de_fer.flow.phases import called
from rules_engine.games.chemin_de_fer.settlement.cagnotte import BankWon
from rules_engine.games.chemin_de_fer.settlement.hand_calls import HandMoment
from rules_engine.games.chemin_de_fer.table import Call, Situation
from rules_engine.live.flow import plain
from rules_engine.live.model import Event
from rules_engine.ruling import Payment

# A banker leaves a bank of so many minimums to somebody else more often than not.
LARGE = 64
PASSES, PASSES_LARGE = 0.12, 0.6


def hand_over(c: Coup, passes: bool | None = None) -> None:
    """What the end of a coup does to the hand. The last moment carries the table of the next coup. `passes`: whether
    the banker passes the hand, if he has said so or was refused."""
    t = c.table
    won, paid = t.pop("won", 0), t.pop("paid", 0)
    outcome = {"ponto": "lost", "banker": "won"}.get(c.winner, "tie")
    if outcome == "lost":
        _lost(c, c.bank - paid)
    else:
        _kept(c, outcome, won, passes)
    if c.last_of_shoe:
        t["warned"] = True
    c.moments[-1] = structs.replace(c.moments[-1], table=plain(t))


def _lost(c: Coup, rest: int) -> None:
    """The banker lost: the hand goes to the next, and what the stakes did not cover goes back to him."""
    t = c.table
    regular = None if t["regular"] == c.banker else t["regular"]
    ruling = c.rule(CoupOver(result="lost", shoe_ends=c.last_of_shoe, regular=regular))
    duties = called(ruling, "announcement", "bank_to") or called(c.rule(HandMoment(event="coup_over", result="lost")))
    to = str(ruling.get("bank_to")) if ruling else _next(c)
    back = [Event("chips", by="bank", to=c.banker, amount=rest)] if rest else []
    c.moment(*back, duties=duties, moves=transfer("bank", c.banker, rest))
    _new_hand(c, to, regular=to, bank=0)
    t["history"] = {}


def _next(c: Coup) -> str:
    """The next seat to the right of the regular holder of the hand."""
    return next_seated(Situation(**c.facts(), incident=HandMoment(event="shoe_begins")), c.table["regular"])


def _new_hand(c: Coup, banker: str, *, regular: str, bank: int) -> None:
    c.table |= {
        "banker": banker,
        "regular": regular,
        "bank": bank or c.minimum * 2 * c.draw.number(1, 8),
        "new_hand": True,
        "coups": [],
        "acquired": "level" if bank else "turn",
        "price": bank,
    }


def _kept(c: Coup, outcome: str, won: int, passes: bool | None) -> None:
    t = c.table
    moves: tuple[Payment, ...] = ()
    duties: tuple[Any, ...] = ()
    if won:
        ruling = c.rule(BankWon())
        share = ruling.get("cagnotte") if ruling else None
        if isinstance(share, int) and share:
            duties, moves = called(ruling, "cagnotte"), transfer("bank", "house", share)
            won -= share
    t["bank"] = c.bank + won
    t["coups"] = [*t["coups"], outcome]
    t["history"] = _history(c, outcome)
    c.moment(duties=duties, moves=moves)
    large = c.bank >= LARGE * c.minimum
    if passes is None:
        passes = not c.last_of_shoe and c.draw.chance(PASSES_LARGE if large else PASSES)
    if passes:
        _passed(c, outcome)
    elif c.last_of_shoe:
        regular = None if t["regular"] == c.banker else t["regular"]
        stays = c.rule(CoupOver(result=outcome, shoe_ends=True, regular=regular))  # type: ignore[arg-type]
        c.moment(duties=called(stays, "announcement", "bank_to"))


def _history(c: Coup, outcome: str) -> dict[str, Any]:
    """What the next coup must know of this one: who lost or tied by playing against the whole bank."""
    if c.claim not in ("banco", "banco_table") or c.holder is None:
        return {}
    if outcome == "tie":
        return {"tied": c.holder} if c.claim == "banco" else {}
    return {"lost": c.holder, "lost_by": c.claim}


def _passed(c: Coup, outcome: str) -> None:
    """The banker passes the hand and somebody takes it at level; otherwise he goes on."""
    t = c.table
    c.calls, c.stakes, c.holder, c.claim = [], (), None, None
    c.ponto = c.banker_cards = c.loose = c.hidden = ()
    coups = tuple(t["coups"])
    ruling = c.rule(PassesBank(regular=t["regular"], coups=coups, acquired=t["acquired"], price=t["price"]))
    if ruling is None:
        return
    level = int(str(ruling.get("level")))
    c.moment(c.said(c.banker, "pass_bank"), duties=called(ruling, "announcement"))
    c.calls = []
    taker = c.draw.pick(c.seated_pontos())
    c.calls.append(Call(taker, "take"))
    offered = c.rule(HandOffered(regular=t["regular"]), bank=level)
    if offered is None or offered.get("bank_to") != taker:
        c.calls = []
        c.moment(Event("call", by=c.banker, says="take"))
        return
    passer = c.banker
    c.moment(
        Event("call", by=taker, says="take"),
        Event("chips", by="bank", to=passer, amount=c.bank),
        duties=called(offered, "bank_to"),
        moves=transfer("bank", passer, c.bank),
    )
    _new_hand(c, taker, regular=t["regular"], bank=level)
    t["history"] = {"passed_by": passer, "passed_after": "win" if outcome == "won" else "tie"}
