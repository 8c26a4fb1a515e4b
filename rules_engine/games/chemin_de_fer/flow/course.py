"""The course of a coup with an incident: up to it, on from it if nobody notices, and on from its ruling."""

from typing import Any

from msgspec import structs

from rules_engine.games.baccarat.cards import score
from rules_engine.games.chemin_de_fer.flow import hand, phases, staking
from rules_engine.games.chemin_de_fer.flow.coup import HANDS, Coup, missing
from rules_engine.games.chemin_de_fer.flow.fitting import out_of_shoe, put_up, shown
from rules_engine.games.chemin_de_fer.flow.offers import offered_stakes
from rules_engine.games.chemin_de_fer.outcome import winner_of
from rules_engine.games.chemin_de_fer.table import Situation, kind_of
from rules_engine.live.duties import owed
from rules_engine.live.flow import Incidents
from rules_engine.live.ledger import stacked
from rules_engine.live.model import Duty, Event, Moment
from rules_engine.live.transplant import Misfit
from rules_engine.ruling import Ruling

hand_over = hand.hand_over
# Whose the loose cards are if nobody objects.
TAKES = {"banker_takes_two": "banker_cards", "stuck_third_cards": "ponto"}
# Faults whose loose cards would be dealt if nobody objected.
DEALT = ("croupier_mixed_cards", "deal_under_way", "drawn_after_closing", "drawn_before_closing", "stuck_in_deal")
# Incidents for which all cards lie open, and the facts of others that say which cards were turned up.
ALL_SHOWN = ("natural_not_shown", "ponto_false_draw")
TURNED_UP = {"banker_showed_early": "uncovered", "ponto_cards_exposed": "exposed"}
# Incidents of a ponto who has his cards but has not spoken.
IN_HAND = ("slow_ponto", "standing_holder", "advice_asked")
# Decisions of a ruling that the dealer carries out before the coup goes on.
CARRIED_OUT = ("announcement", "cards_to")


def changed(moment: Moment, **changes: Any) -> Moment:
    return structs.replace(moment, **changes)


def with_incident(c: Coup, s: Situation, ruling: Ruling, incidents: Incidents, *, wrong: bool) -> None:
    """A whole coup with an incident in it."""
    right = lead_up(c, s)
    add_incident(c, s, wrong=wrong)
    kind = kind_of(s.incident)
    c.drawn_out = kind in incidents.finished
    if wrong or kind == "stake_changed":
        c.stakes = offered_stakes(s)
    if c.closed and not c.passed and c.stakes != s.stakes:
        right = phases.cards_to(c)
    if wrong:
        _stands(c, kind)
    if not wrong or not incidents.complaint(c.book, kind) or ruling.after is None:
        finish(c, right)
        phases.settling(c)
        hand_over(c)
        return
    finish(c, right)
    if c.draw.chance(c.state.setup.habits.complaints) and c.stakes:
        by = c.draw.pick(c.stakes).player
        told = Event("complaint", by=by, values={"article": incidents.complaint(c.book, kind)})
        c.moment(told, complaint=True)
        out = [card for moment in c.moments for card in moment.draws]
        c.moments += _after_ruling(c, s, ruling, out)
    else:
        phases.settling(c)
        hand_over(c)


def _stands(c: Coup, kind: str) -> None:
    """What happens to the cards if nobody notices: loose ones stay where they were meant, and what is over is over."""
    if kind in DEALT and not c.passed:
        _deal_out(c)
    if kind == "banker_held_natural_back":
        phases.third_given(c)
        c.drawn_out = True
    side = TAKES.get(kind)
    if side:
        setattr(c, side, getattr(c, side) + c.loose)
        c.loose = ()
        c.hidden = tuple(ref for ref in c.hidden if not ref.startswith("loose."))
    c.drawn_out = c.drawn_out or bool(side)


def _deal_out(c: Coup) -> None:
    """Loose cards become those of the deal, in turn, as far as cards are missing; the rest stays loose."""
    hands = {"ponto": list(c.ponto), "banker": list(c.banker_cards)}
    hidden = [ref for ref in c.hidden if not ref.startswith("loose.")]
    left = []
    for number, card in enumerate(c.loose, start=1):
        heap = "ponto" if len(hands["ponto"]) <= len(hands["banker"]) else "banker"
        if len(hands[heap]) == 2:
            left.append(card)
            continue
        hands[heap].append(card)
        hidden += [f"{heap}.{len(hands[heap])}"] if f"loose.{number}" in c.hidden else []
    c.ponto, c.banker_cards, c.loose = tuple(hands["ponto"]), tuple(hands["banker"]), tuple(left)
    c.hidden = tuple(hidden)


def lead_up(c: Coup, s: Situation) -> Ruling | None:
    """The coup up to the incident, with the people, stakes and cards that it needs."""
    top = stacked(tuple(c.shoe), out_of_shoe(s))
    if top is None:
        raise Misfit
    c.shoe, c.base = list(top), top
    phases.by_table(c, s.by_table)
    c.holder, c.claim = s.holder, s.claim
    c.put_up = put_up(s)
    phases.bank_stated(c)
    if not any(call.says == "closed" for call in s.calls) and not _ponto_spoke(s):
        _still_open(c, s)
        if s.ponto or s.banker_cards:
            phases.deal(c, min(2, len(s.ponto)) + min(2, len(s.banker_cards)))
        return None
    phases.betting(c, s.stakes)
    right = phases.cards_to(c)
    c.holder, c.claim = s.holder or c.holder, s.claim or c.claim
    if s.ponto or s.banker_cards:
        dealt = min(2, len(s.ponto)) + min(2, len(s.banker_cards))
        phases.deal(c, dealt)
        if dealt == 4 and (_ponto_spoke(s) or kind_of(s.incident) in IN_HAND):
            phases.passing(c, right)
    spoken = _spoken(c, s)
    repeated = phases.repetition(c, s)
    c.calls = list(s.calls)
    c.moment(*spoken, duties=repeated)
    return right


def _still_open(c: Coup, s: Situation) -> None:
    """The betting up to an incident in it. What players said comes before the croupier's last words in the log."""
    if s.stakes:
        phases.invited(c)
    c.stakes = s.stakes
    spoken = _spoken(c, s)
    c.moment(*phases.chips(s.stakes), *spoken)
    said = [call for call in s.calls if call.by not in ("croupier", c.banker) and call not in c.calls]
    c.calls[-1:-1] = said


def _spoken(c: Coup, s: Situation) -> list[Event]:
    """What the log of the incident has besides what was said already."""
    known: set[tuple[str | None, str]] = {(call.by, call.says) for call in c.calls}
    known |= {(c.banker, "states_bank"), (s.holder, "banco"), (s.holder, "banco_table")}
    return [
        Event("call", by=call.by, says=call.says, amount=call.amount)
        for call in s.calls
        if (call.by, call.says) not in known and call.by != "croupier"
    ]


def add_incident(c: Coup, s: Situation, *, wrong: bool, due: tuple[Duty, ...] = ()) -> None:
    """The moment at which the incident is seen: new cards, cards turned up, and what is told of it. `due` is what the
    dealer must do about it although nothing is wrong."""
    events: list[Event] = []
    draws: list[str] = []
    hidden = _face_down(c, s)
    for heap, fact in HANDS.items():
        before, now = getattr(c, fact), getattr(s, fact)
        for number, card in enumerate(now, start=1):
            ref = f"{heap}.{number}"
            down = ref in hidden
            if number > len(before):
                draws.append(card)
                events.append(Event("card", to=ref, card="" if down else card))
            elif ref in c.hidden and not down:
                events.append(Event("card", to=ref, card=card))
        setattr(c, fact, now)
    c.hidden = hidden
    taken = c.drawn(len(draws))
    if taken != tuple(draws):
        raise RuntimeError(f"the shoe gives {taken}, not {draws}")
    events += shown(s)
    seen = {"facts": c.facts_of(s), "kind": kind_of(s.incident), "wrong": wrong}
    if events or not c.moments:
        c.moment(*events, duties=due, draws=taken, **seen)
    else:  # what was said before it tells everything
        c.moments[-1] = changed(c.moments[-1], duties=(*c.moments[-1].duties, *due), **seen)


def _ponto_spoke(s: Situation) -> bool:
    return any(call.by == "ponto" for call in s.calls)


def _face_down(c: Coup, s: Situation) -> tuple[str, ...]:
    """The cards that nobody can see yet. Facts made for a drill may have all of them face up; here the ponto's stay
    down until the result, and the banker's until the ponto has spoken."""
    if kind_of(s.incident) in ALL_SHOWN:
        return ()
    if s.hidden:
        return s.hidden
    up = _turned_up(s)
    return tuple(ref for ref in _unseen(c, s) if not ref.startswith(up))


def _turned_up(s: Situation) -> tuple[str, ...]:
    """The cards that the incident itself turns up; `ponto.` is all of the ponto's."""
    incident: Any = s.incident
    kind = kind_of(incident)
    if kind == "croupier_exposed_cards":
        banker = ("banker.",) if incident.banker_shows else ()
        return () if incident.unseen else (*incident.cards, *banker)
    if kind == "croupier_exposed_later" or (kind == "early_showing" and incident.does == "shows"):
        return ("ponto.",)
    found: tuple[str, ...] = getattr(incident, TURNED_UP.get(kind, ""), ())
    return found


def _unseen(c: Coup, s: Situation) -> tuple[str, ...]:
    natural = any(call.by == "ponto" and call.says in ("eight", "nine") for call in s.calls)
    spoke = _ponto_spoke(s)
    if not spoke:
        heaps = (("ponto", s.ponto), ("banker", s.banker_cards))
        return tuple(f"{heap}.{number}" for heap, hand in heaps for number in range(1, len(hand) + 1))
    return tuple(ref for ref in c.hidden if not natural and ref.startswith("ponto."))


def finish(c: Coup, right: Ruling | None) -> None:
    """The rest of a coup up to its result, from wherever it stands."""
    if len(c.ponto) < 2 or len(c.banker_cards) < 2:
        if not c.closed:
            _closed(c)
        right = right or phases.cards_to(c)
        phases.deal(c)
    if not c.passed and not any(call.by == "ponto" for call in c.calls):
        phases.passing(c, right)
    if not any(call.by == "ponto" for call in c.calls) and len(c.ponto) == 2:
        phases.ponto_speaks(c)
    if len(c.banker_cards) == 2 and not c.drawn_out:
        phases.banker_plays(c)
    phases.result(c)


def _closed(c: Coup) -> None:
    """The betting goes on to its end; if nobody has staked yet, it has only begun."""
    if c.stakes:
        phases.close(c)
    else:
        phases.betting(c, staking.claims(c))


def ruled(c: Coup, s: Situation, ruling: Ruling) -> tuple[Moment, ...]:
    """The rest of a coup after the dealer's ruling."""
    state = c.state
    c.table["new_hand"] = False
    c.table["warned"] &= not any(moment.shuffled for moment in state.moments)
    c.last_of_shoe = any(event.says == "warning_card" for one in state.moments[: state.at + 1] for event in one.events)
    if ruling.after is None or not ruling.after.heaps:
        rest = [changed(m, wrong=False) for m in state.moments[state.at + 1 :] if not m.complaint]
        if offered_stakes(s) != s.stakes and ruling.get("allowed") == "refused":
            rest = _without_refused(c, s, rest)
        return (Moment(duties=owed(ruling, *CARRIED_OUT)), *rest)
    out = [card for moment in state.moments[: state.at + 1] for card in moment.draws]
    return tuple(_after_ruling(c, s, ruling, out))


def _without_refused(c: Coup, s: Situation, rest: list[Moment]) -> list[Moment]:
    """The rest of a coup in which a refused stake was to play: the cards go to whom they belong without it, and it is
    neither paid nor collected."""
    settled = next((at for at, moment in enumerate(rest) if moment.settles), len(rest))
    coup = (*c.state.moments[: c.state.at + 1], *rest[:settled])
    c.stakes, c.holder, c.claim, c.calls = s.stakes, s.holder, s.claim, list(s.calls)
    due = phases.called(phases.cards_to(c), "cards_to")
    c.moments = [_passed_to(moment, due) for moment in rest[:settled]]
    seen = {event.to: event.card for moment in coup for event in moment.events if event.what == "card" and event.card}
    c.ponto, c.banker_cards = (
        tuple(seen[ref] for ref in sorted(seen) if ref.startswith(heap)) for heap in ("ponto.", "banker.")
    )
    c.hidden, c.winner = (), winner_of(score(c.ponto), score(c.banker_cards))
    phases.settling(c)
    hand_over(c)
    return c.moments


def _passed_to(moment: Moment, due: tuple[Duty, ...]) -> Moment:
    """The moment with the cards passed as is due now."""
    if not due or not any(duty.key == "cards_to" for duty in moment.duties):
        return moment
    return changed(moment, duties=(*(duty for duty in moment.duties if duty.key != "cards_to"), *due))


def _after_ruling(c: Coup, s: Situation, ruling: Ruling, out: list[str]) -> list[Moment]:
    """The coup as the ruling leaves it: decided, annulled, or played on."""
    after = ruling.after
    assert after is not None  # noqa: S101 (only rulings on cards come here)
    c.moments = []
    c.stakes, c.holder, c.claim, c.calls = s.stakes, s.holder, s.claim, list(s.calls)
    c.by_table, c.loose, c.hidden, c.drawn_out = s.by_table, after.heap("loose"), (), False
    c.ponto, c.banker_cards = after.heap("ponto"), after.heap("banker")
    lying = [card for heap in ("ponto", "banker", "burned", "next_coup", "loose") for card in after.heap(heap)]
    draws = c.drawn(len(missing(lying, out)))
    shown = [Event("card", to=f"{heap}.{n}", card=card) for heap in after.heaps for n, card in _numbered(after, heap)]
    c.moment(*shown, duties=owed(ruling, *CARRIED_OUT), draws=draws)
    kept = after.heap("next_coup")
    winner = ruling.get("winner")
    if ruling.get("coup") == "annulled" or winner == "nobody":
        c.winner = "tie"
        phases.settling(c)
    elif isinstance(winner, str):
        c.winner = winner
        phases.settling(c, owed(ruling, payments=True))
    else:
        _play_on(c, ruling)
        phases.settling(c)
    c.table["kept"] = list(kept)
    hand_over(c)
    return c.moments


def _numbered(after: Any, heap: str) -> list[tuple[int, str]]:
    return list(enumerate(after.heap(heap), start=1)) if heap in ("ponto", "banker") else []


def _play_on(c: Coup, ruling: Ruling) -> None:
    """The coup is put right and goes on. A score that the ruling awards counts whatever the cards are."""
    awarded = ruling.get("ponto_score")
    if isinstance(awarded, int) and awarded != score(c.ponto):
        c.winner = winner_of(awarded, score(c.banker_cards))
        return
    finish(c, None)
