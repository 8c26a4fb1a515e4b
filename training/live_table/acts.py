"""Acts as a browser sends them. What is accepted depends on the rulebook and on who sits at the table, never on what
is due or wrong."""

import json
from typing import Any

import msgspec
from django.utils.translation import gettext_lazy as _

from rules_engine import play
from rules_engine.errors import EngineError
from training.live_table.models import Dealing
from training.platform.errors import Unfit
from training.platform.storable import unplain

LONGEST_ANSWER = 300
LARGEST = 10_000_000
KEEPERS = ("house", "bank")


class Halt(msgspec.Struct, tag="halt"):
    """The red button: the game stands still until the dealer has said what is wrong."""


def checked(session: Dealing, sent: object) -> play.Act | Halt:
    """The act. Raises Unfit if it is none that this table has."""
    done = read(session, sent)
    if not isinstance(done, Halt) and (isinstance(done, play.Resume) or not _fits(session, done)):
        raise Unfit(_("This cannot be done at the table."))
    return done


def read(session: Dealing, sent: object) -> play.Act | Halt:
    """An act as it was sent. Raises Unfit if it is none."""
    if not isinstance(sent, dict) or not isinstance(sent.get("type"), str):
        raise Unfit(_("This cannot be done at the table."))
    if why := unplain(sent):  # else storing fails and undoes the act, and its time tells without a stop that counts
        raise Unfit(why)
    if sent["type"] == "halt":
        return Halt()
    try:
        done = play.decode_act(json.dumps(sent))
    except EngineError as error:
        raise Unfit(_("This cannot be done at the table.")) from error
    return _answered(session, done) if isinstance(done, play.Stop) else done


def _fits(session: Dealing, done: play.Act) -> bool:
    places = people(session)
    if isinstance(done, play.Say):
        return bool(done.text.strip()) and not done.formula and not done.slots
    if isinstance(done, play.Give | play.Do):
        known = {one.key: one for one in play.flow_of(session.book).acts}
        one = known.get(done.key)
        value: Any = done.to if isinstance(done, play.Give) else done.value
        return one is not None and one.gives == isinstance(done, play.Give) and _has(session, one, value, places)
    if isinstance(done, play.Pay):
        return {done.payer, done.payee} <= {*places, *KEEPERS} and done.payer != done.payee and len(done.spot) < 64
    return True


def _has(session: Dealing, one: play.DealerAct, value: Any, places: list[str]) -> bool:
    if one.value == "place":
        return value in (*(() if one.others_only else places), *one.others)
    if one.value == "number":
        return isinstance(value, int) and 0 <= value <= LARGEST and (not one.choices or str(value) in one.choices)
    return value in (one.choices or session.book.game.options(one.key, session.rulebook))


def _answered(session: Dealing, done: play.Stop) -> play.Stop:
    """The claim with the answers to its questions alone."""
    if not done.kind:
        return play.Stop()
    if done.kind not in play.claims(session.engine_setup):
        raise Unfit(_("Choose what is wrong."))
    asked = {one.key for one in play.questions_about(session.book, done.kind)}
    given: dict[str, Any] = {
        key: value for key, value in done.answers.items() if key in asked and value not in ("", None)
    }
    if any(len(str(value)) > LONGEST_ANSWER for value in given.values()):
        raise Unfit(_("An answer is too long."))
    return play.Stop(done.kind, given)


def people(session: Dealing) -> list[str]:
    """Everybody at the table."""
    return [*map(str, session.base.get("seats", ())), *session.base.get("standing", ())]
