"""Incidents at the running table: generated facts that fit it, and the way the coup gets there and goes on."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import structs

from rules_engine.authoring import SUITS, EngineError, Sum
from rules_engine.games.chemin_de_fer.flow import phases
from rules_engine.games.chemin_de_fer.flow.coup import Coup
from rules_engine.games.chemin_de_fer.flow.offers import lies, offered_stakes, short_stake
from rules_engine.games.chemin_de_fer.flow.staking import claim_holds, share_payable
from rules_engine.games.chemin_de_fer.game import GAME
from rules_engine.games.chemin_de_fer.order import from_right
from rules_engine.games.chemin_de_fer.table import Call, Situation, Stake, kind_of
from rules_engine.live.flow import Incidents, plain
from rules_engine.live.model import Event
from rules_engine.live.scene import handed_back
from rules_engine.live.transplant import Misfit, Move, cases_of, fitted, generated, mentioned, ruled, storable
from rules_engine.ruling import Ruling

TRIES = 40
KINDS_TRIED = 8
HEAPS = ("ponto", "banker_cards", "loose", "next")
SKIPPED = (*HEAPS, "seats", "standing")
SEAT_FIELDS = ("seat", "left", "to", "beside")
Found = tuple[Situation, Ruling]
# How a coup must have ended for what happens after it.
RESULTS = {
    "asks_to_pass": ("banker", "tie"),
    "stake_after_tie": ("tie",),
    "uncovered_win": ("banker",),
}
# What the coup just played adds to those of the hand.
COUNTED = {"banker": ("won",), "tie": ("tie",)}
# Sentences of drills that say what to decide, what somebody would do, or what happened in earlier coups.
UNTOLD = (
    "incident.binned_first_coup",
    "incident.binned_later_coup",
    "incident.cards_elsewhere",
    "incident.claims_",
    "incident.deal_would_",
    "incident.early_showing_wishes",
)


def find(c: Coup, kinds: Sequence[str], incidents: Incidents, *, wrong: bool) -> Found | None:
    """An incident of the first of these kinds that can occur now, with something wrong or with nothing."""
    able = [kind for kind in kinds if kind in cases_of(c.book.id)]
    for kind in able[:KINDS_TRIED]:
        if kind in RESULTS and c.winner not in RESULTS[kind]:
            continue
        if kind == "asks_to_pass" and c.table["acquired"] != "turn" and c.table["regular"] == c.banker:
            continue  # he has his own hand back: the text does not say what that makes it
        for _ in range(TRIES):
            try:
                situation = moved(c, generated(c.book, kind, c.draw, c.busy), after=kind in incidents.after)
                ruling = ruled(c.book, situation)
            except (Misfit, EngineError):
                continue
            if is_wrong(situation, ruling, incidents) == wrong and storable(c.book, situation):
                return situation, ruling
    return None


def is_wrong(s: Situation, ruling: Ruling, incidents: Incidents) -> bool:
    """Whether something is wrong. Cards in the right hands are not, nor cards looked at once more
    or put away in time."""
    kind = kind_of(s.incident)
    if kind == "banker_held_natural_back":  # one who plays by the table keeps his right, and must be put right
        return not s.incident.shows  # type: ignore[attr-defined]
    if kind == "cards_elsewhere":
        has = [call.by for call in s.calls if call.says in ("given_cards", "takes_cards")]
        return not has or has[-1] != ruling.get("cards_to")
    if kind == "cards_binned":  # nothing is wrong if the cards decide all the same
        return ruling.get("coup") != "stands" or "ponto_score" not in ruling.outcome
    return incidents.wrong(kind, ruling) and ruling.get("lifted_cards") != "left_covered"


# How far the settling is: before it begins, and when it is over but the cards still lie there.
_UNSETTLED = {"settled": ("none", False), "discarded": (False, False), "binned": (False, False)}
_SETTLED = {"settled": ("all", True), "discarded": (False, False), "binned": (False, False)}


def moved(c: Coup, made: Situation, *, after: bool) -> Situation:
    """Generated facts at the running table. Raises Misfit or EngineError if they cannot occur there."""
    if made.banker.isdigit() != c.banker.isdigit() or getattr(made.incident, "stage", "") == "announced":
        raise Misfit  # scores are announced by the dealer himself
    facts = _move(c, made, _stakers(c) if after else c.pontos()).struct(made)
    facts |= {
        "seats": tuple(c.table["seats"]),
        "standing": tuple(c.table["standing"]),
        "banker": c.banker,
        "bank": c.bank,
        "minimum": c.minimum,
        "unit": c.unit,
        "wins": c.table["coups"].count("won") + (c.winner == "banker"),
        "garage": 0,
        "foreigners": False,
        "foreign_language": None,
        "incident": _with_history(
            c, facts["incident"], _SETTLED if after else _UNSETTLED, note=getattr(made.incident, "amount", 0)
        ),
    }
    if after:
        _check_result(c, facts["incident"])
        return Situation(**facts | _settled(c))
    facts["calls"] = tuple(_with_bank(c, made, call) for call in facts["calls"])
    s = Situation(**facts | _cards(c, made))
    if not claim_holds(c, s) or not all(share_payable(c, one) for one in (s.stakes, offered_stakes(s))):
        raise Misfit
    kept = getattr(s.incident, "kept", None)
    if kept is not None and kept != s.stakes:
        raise Misfit  # what players take back is taken after the ruling, and is seen then
    return s


def _with_bank(c: Coup, made: Situation, call: Call) -> Call:
    """A call that names the bank names the one of the running table."""
    moved = call.says in ("bank_of", "states_bank") and any(
        one.says == call.says and one.amount == made.bank for one in made.calls
    )
    return structs.replace(call, amount=c.bank) if moved else call


def _check_result(c: Coup, incident: Any) -> None:
    """An incident after a coup speaks of how it really ended. Raises Misfit otherwise."""
    kind = kind_of(incident)
    wanted = RESULTS.get(kind, ("ponto", "banker", "tie"))
    if c.winner not in wanted or getattr(incident, "winner", c.winner) != c.winner:
        raise Misfit


def _stakers(c: Coup) -> list[str]:
    staking = {stake.player for stake in c.stakes}
    return [place for place in c.pontos() if place in staking]


def _move(c: Coup, made: Situation, here: list[str]) -> Move:
    places = {made.banker: c.banker}
    loser, lost = getattr(made.incident, "lost", None), c.table["history"].get("lost")
    if loser and lost:
        places[loser] = lost
        here = [place for place in here if place != lost]
    # After a coup its own calls and stakes count, whatever the generated ones are.
    spoken = () if c.winner else (made.calls, made.stakes, made.holder or "")
    names = mentioned((made.incident, *spoken), SKIPPED) - set(places)
    numbers = _seat_numbers(made.incident)
    names |= {str(seat) for seat in numbers if seat in made.seats} - set(places)
    seated = from_right(made.banker, (name for name in names if name.isdigit()))
    standing = from_right(made.banker, (name for name in names if not name.isdigit()))
    places |= fitted(seated, [place for place in here if place.isdigit()], c.draw)
    places |= fitted(standing, [place for place in here if not place.isdigit()], c.draw)
    empty = [seat for seat in range(1, 10) if seat not in c.table["seats"]]
    seats = {seat: int(places[str(seat)]) for seat in made.seats if places.get(str(seat), "").isdigit()}
    for seat in numbers:
        if seat not in seats:
            if not empty:
                raise Misfit
            seats[seat] = c.draw.pick(empty)
    factor = (c.bank, made.bank) if made.bank else (c.minimum, made.minimum or c.minimum)
    units = (c.unit, made.unit or c.unit)
    return Move(places=places, factor=factor, units=units, seats=seats, seat_fields=SEAT_FIELDS, skip=SKIPPED)


def _seat_numbers(incident: Any) -> list[int]:
    """The seats that an incident names by number."""
    fields = [field for field in structs.fields(type(incident)) if field.name in SEAT_FIELDS and field.type is not Sum]
    values = [getattr(incident, field.name) for field in fields]
    return [value for value in values if isinstance(value, int) and not isinstance(value, bool)]


def _with_history(c: Coup, incident: Any, settling: Mapping[str, tuple[Any, Any]], *, note: int = 0) -> Any:
    """The incident with what really happened before it at this table. `note`: a banknote is worth what it is."""
    t, history = c.table, c.table["history"]
    own = t["regular"] == t["banker"]
    known: dict[str, Any] = {
        "since": (),
        "bought": False,
        "moved_ahead": (),
        "partner": None,
        "acquired": t["acquired"],
        "coups": (*t["coups"], *COUNTED.get(c.winner, ())),
        "price": t["price"],
        "regular": t["regular"],
        "initial": t["regular"],
        "first_coup": any(event.says == "shoe_begins" for moment in c.moments for event in moment.events),
    }
    known |= {name: history.get(name) for name in ("lost", "lost_by", "passed_by", "passed_after", "tied")}
    for name, (word, flag) in settling.items():
        known[name] = flag if isinstance(getattr(incident, name, None), bool) else word
    if kind_of(incident) == "false_note":
        known["amount"] = note
    changes = {name: value for name, value in known.items() if hasattr(incident, name)}
    if isinstance(changes.get("initial"), str) and isinstance(incident.initial, bool):
        changes["initial"] = own
    return structs.replace(incident, **changes)


def _settled(c: Coup) -> dict[str, Any]:
    """After the coup: its own stakes and cards, whatever the generated ones were."""
    return {
        "calls": tuple(call for call in c.calls if call.by != c.banker),
        "stakes": c.stakes,
        "holder": c.holder,
        "claim": c.claim,
        "by_table": (),
        "ponto": c.ponto,
        "banker_cards": c.banker_cards,
        "loose": (),
        "hidden": (),
        "next": tuple(c.shoe[:2]),
    }


def _cards(c: Coup, made: Situation) -> dict[str, tuple[str, ...]]:
    """The generated cards as cards that are still in the shoe, of the same rank."""
    left = list(c.shoe)
    found: dict[str, tuple[str, ...]] = {}
    for heap in HEAPS:
        taken = []
        for card in getattr(made, heap):
            same = next((one for one in (card, *(card[0] + suit for suit in SUITS)) if one in left), None)
            if same is None:
                raise Misfit
            left.remove(same)
            taken.append(same)
        found[heap] = tuple(taken)
    if len(made.ponto) > 1 and not made.banker_cards:
        # Facts about the ponto alone leave out the banker's cards, which lie there face down.
        found["banker_cards"] = tuple(left[:2])
        found["hidden"] = (*made.hidden, "banker.1", "banker.2")
    if getattr(made.incident, "asker", "") == "ponto":
        found["hidden"] = ("ponto.1", "ponto.2", "banker.1", "banker.2")  # he asks, and shows them to nobody else
    return found


def out_of_shoe(s: Situation) -> tuple[str, ...]:
    """The cards of an incident in the order in which they leave the shoe: the deal, the further cards, the next."""
    dealt = [hand[index] for index in (0, 1) for hand in (s.ponto, s.banker_cards) if index < len(hand)]
    return (*dealt, *s.ponto[2:], *s.banker_cards[2:], *s.loose, *s.next)


def shown(s: Situation) -> list[Event]:
    """What everybody sees of an incident: chips put down late look like any others, the rest is told."""
    incident: Any = s.incident
    kind = kind_of(incident)
    if kind == "late_stakes":
        return phases.chips(incident.offers)
    if kind == "stake_after_words":
        return phases.chips((Stake(incident.player, incident.amount),))
    if kind == "stake_put" and lies(incident):
        declared = [("incident.stake_put_declares", {"player": incident.player, "declared": incident.declared})]
        told = declared if incident.declared is not None else []
        put = phases.chips((Stake(incident.player, incident.amount, line=incident.spot == "line"),))
        return [*put, *(Event("told", says=says, values=plain(values)) for says, values in told)]
    told = [(says, values) for says, values in s.incident.narrated(s) if not says.startswith(UNTOLD)]
    put = phases.chips(short_stake(s))
    if kind == "stake_changed":  # he does as he wishes, unless somebody objects
        before, after = (
            phases.chips(tuple(one for one in stakes if one.player == incident.player))
            for stakes in (s.stakes, offered_stakes(s))
        )
        moved = [*handed_back(before), *after]
        return [*(_tells(says, values) for says, values in told), *moved]
    return put + [_tells(says, values) for says, values in told]


def _tells(says: str, values: Any) -> Event:
    return Event("told", says=_at_the_table(says), values=plain(values))


def _at_the_table(sentence: str) -> str:
    """The sentence without what only a drill tells, such as what somebody would do if he were free."""
    live = f"live.{sentence.removeprefix('incident.')}"
    return live if GAME.words.has(live) else sentence


def put_up(s: Situation) -> int | None:
    """The chips that the banker really put up, if he said more."""
    incident: Any = s.incident
    return incident.down if kind_of(incident) == "sum_short" and incident.player == s.banker else None
