"""The check of a table before it opens: its seats, its packs, the shuffle, and the prepared shoe.

1995: 1, 2, 4 s1, 4 s4, 5 s1, 5 s2. Macau: mesa, intro, cartas, carta-aviso s1; it does not mention the cut card or a
first burn.
"""

from typing import Annotated, Any, ClassVar, Literal

from msgspec import Meta

from rules_engine.authoring import ImpossibleFacts, NotRegulated, Reasoning, Rulebook, Sentence, variant
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.ponto_banca.books import ALL, MACAU, articles, same
from rules_engine.games.ponto_banca.game import case_table, domain, rule
from rules_engine.games.ponto_banca.seating import seats_text
from rules_engine.games.ponto_banca.setting import table
from rules_engine.games.ponto_banca.table import Incident, Kind, Situation

CutCard = Literal["covers_last", "on_top", "left_in_place", "taken_out"]
Faces = Literal["face_down", "face_up"]
Shuffler = Literal["croupier", "machine", "player"]
Count = Annotated[int, Meta(ge=1, le=100)]
# «Aproximadamente»: the exact number is right, this many cards off is wrong; in between the texts leave it open.
FAR = 6
# Where the warning card goes in other shoes.
HABITS = (6, 20, 26)

for _key in ("seats_are", "packs_are", "shuffle_is", "cut_card_is", "warning_card_is", "faces_are"):
    domain(_key, "right", "wrong")


class TableChecked(Incident, frozen=True, tag="table_checked"):
    """The inspector checks a table before it opens; what is not mentioned was not checked.

    `boards` are the seats of each board, `packs` those with blue and with red backs, `before_last` the position of the
    warning card, `burned` the number of cards taken out so far.
    """

    betting: ClassVar = False

    boards: Annotated[tuple[Annotated[int, Meta(ge=1, le=20)], ...], Meta(max_length=2)] = ()
    packs: Annotated[tuple[Annotated[int, Meta(ge=0, le=12)], ...], Meta(max_length=2)] = ()
    shuffled: Shuffler | None = None
    cut_card: CutCard | None = None
    before_last: Count | None = None
    faces: Faces | None = None
    burned: Count | None = None

    def check(self, situation: Situation) -> None:
        if self.boards and len(self.boards) != (1 if situation.table == "single" else 2):
            raise ImpossibleFacts("incident.boards", "a single table has one board, a double one two")
        if len(self.packs) == 1:
            raise ImpossibleFacts("incident.packs", "the packs must be counted by the two colours of their backs")

    def told(self, situation: Situation) -> list[Sentence]:
        if not self.boards:
            return [("incident.table_checked", {})]
        first, last = self.boards[0], self.boards[-1]
        form = "single" if len(self.boards) == 1 else "alike" if first == last else "unlike"
        return [("incident.table_checked", {}), (f"incident.checked_boards_{form}", {"places": first, "other": last})]

    def narration(self) -> list[Sentence]:
        found: list[Sentence] = []
        if self.packs:
            blue, red = self.packs
            form = "mixed" if blue and red else "blue" if blue else "red"
            found.append((f"incident.checked_packs_{form}", {"blue": blue, "red": red}))
        if self.shuffled:
            found.append((f"incident.checked_shuffled_{self.shuffled}", {}))
        if self.cut_card:
            found.append((f"incident.checked_cut_card_{self.cut_card}", {}))
        if self.before_last:
            form = "checked_warning_card" if self.before_last > 1 else "checked_warning_card_one"
            found.append((f"incident.{form}", {"count": self.before_last}))
        if self.faces:
            found.append((f"incident.checked_{self.faces}", {}))
        if self.burned:
            form = "checked_burned" if self.burned > 1 else "checked_burned_one"
            found.append((f"incident.{form}", {"count": self.burned}))
        return found

    def sorts(self, situation: Situation) -> set[str]:
        told = {name for name in ("packs", "boards") if getattr(self, name)}
        found = {self.shuffled, self.cut_card, self.faces} - {None}
        return {situation.table, *told, *map(str, found)}


@rule(TableChecked, *ALL)
def table_checked(s: Situation, incident: TableChecked, r: Reasoning) -> None:
    if incident.boards:
        _seats(s, incident, r)
    if incident.packs:
        wanted = int(r.book.param("packs")[s.table])
        good = sorted(incident.packs) == [0, wanted]
        r.pivot(same(r.book, "1", "intro"), f"packs_{s.table}", count=wanted)
        counted = sum(incident.packs) == wanted
        _decide(r, "packs_are", good, tempting=counted or sum(incident.packs) in r.book.param("packs").values())
    if incident.shuffled:
        machine = r.book.coded_as == MACAU
        text = "shuffled_by_croupier_or_machine" if machine else "shuffled_by_croupier"
        good = incident.shuffled in (("croupier", "machine") if machine else ("croupier",))
        r.pivot(same(r.book, "4 s1", "cartas"), text)
        _decide(r, "shuffle_is", good, tempting=incident.shuffled == "machine")
    if incident.cut_card and r.book.coded_as != MACAU:
        r.pivot("4 s4", "cut_card_covers_last")
        _decide(r, "cut_card_is", incident.cut_card == "covers_last", tempting=incident.cut_card == "left_in_place")
    _shoe(incident, r)


def _seats(s: Situation, incident: TableChecked, r: Reasoning) -> None:
    name = "seats_single_table" if s.table == "single" else "seats_per_board_double_table"
    right: list[int] = r.book.param(name)
    r.pivot(same(r.book, "2", "mesa"), seats_text(s.table, right), least=min(right), most=max(right))
    good = set(incident.boards) <= set(right)
    near = {places + step for places in incident.boards for step in (-1, 1)}
    _decide(r, "seats_are", good, tempting=bool(near & set(right)))


def _shoe(incident: TableChecked, r: Reasoning) -> None:
    """The warning card and the faces: 5 s1 or carta-aviso s1. The first cards out: 5 s2."""
    if incident.before_last or incident.faces:
        last = r.book.number("warning_card_before_last")
        r.pivot(same(r.book, "5 s1", "carta-aviso s1"), "warning_card", count=last)
        if incident.before_last:
            away = abs(incident.before_last - last)
            if 0 < away < FAR:
                raise NotRegulated("art. 5 does not say how far from there the warning card may still lie")
            _decide(r, "warning_card_is", not away, tempting=incident.before_last in HABITS)
        if incident.faces:
            _decide(r, "faces_are", incident.faces == "face_down", tempting=False)
    if incident.burned and r.book.coded_as != MACAU:
        burn = r.book.number("opening_burn")
        left = max(0, burn - incident.burned)
        text = "burn_left_one" if left == 1 else "burn_left"
        r.pivot("5 s2", text, count=burn, out=incident.burned, left=left)
        r.number("burn_left", left, tempting=[burn, incident.burned, 0, 1])


def _decide(r: Reasoning, key: str, good: bool, *, tempting: bool) -> None:
    value, other = ("right", "wrong") if good else ("wrong", "right")
    r.choice(key, value, tempting=[other] if tempting else [])


Found = dict[str, Any]


def _boards(draw: Draw, book: Rulebook, kind: Kind, difficulty: int) -> Found:
    """Right about half the time. Harder: just outside, and two boards of which only one is wrong."""
    right = book.param("seats_single_table" if kind == "single" else "seats_per_board_double_table")
    low, high = min(right), max(right)
    good = draw.chance(0.5)
    wrong = draw.pick((low - 1, high + 1) if difficulty >= 2 else (low - 2, high + 2))
    places = draw.pick(right) if good else wrong
    if kind == "single":
        return {"boards": (places,)}
    other = draw.pick(right) if difficulty >= 3 else places
    return {"boards": tuple(draw.shuffled((places, other)))}


def _packs(draw: Draw, book: Rulebook, kind: Kind, difficulty: int) -> Found:
    """Right, of two colours, or as at the other kind of table."""
    packs: dict[str, int] = book.param("packs")
    wanted, other = packs[kind], packs["double" if kind == "single" else "single"]
    ways = ((wanted, 0), (wanted, 0), (wanted // 2, wanted // 2), (other, 0))
    return {"packs": tuple(draw.shuffled(draw.pick(ways)))}


def _shuffled(draw: Draw, book: Rulebook, kind: Kind, difficulty: int) -> Found:
    """Right about half the time, whether the text allows a machine or only the croupier."""
    ways: tuple[Shuffler, ...] = ("croupier", "machine", "player", "player" if book.coded_as == MACAU else "croupier")
    return {"shuffled": draw.pick(ways if difficulty >= 2 else ("croupier", "player"))}


def _cut_card(draw: Draw, book: Rulebook, kind: Kind, difficulty: int) -> Found:
    ways: tuple[CutCard, ...] = ("covers_last", "covers_last", "on_top", "left_in_place", "taken_out")
    return {"cut_card": draw.pick(ways)}


def _warning_card(draw: Draw, book: Rulebook, kind: Kind, difficulty: int) -> Found:
    """What the text says, or what other shoes have."""
    right = book.number("warning_card_before_last")
    return {"before_last": right if draw.chance(0.5) else draw.pick((1, *HABITS, 52))}


def _faces(draw: Draw, book: Rulebook, kind: Kind, difficulty: int) -> Found:
    return {"faces": "face_down" if draw.chance(0.6) else "face_up"}


def _burned(draw: Draw, book: Rulebook, kind: Kind, difficulty: int) -> Found:
    return {"burned": draw.number(1, book.number("opening_burn"))}


LOOKS = {
    "boards": _boards,
    "packs": _packs,
    "shuffled": _shuffled,
    "cut_card": _cut_card,
    "before_last": _warning_card,
    "faces": _faces,
    "burned": _burned,
}
# What the present text does not mention.
ONLY_1995 = ("cut_card", "burned")


@case_table(
    "seating", variant("seats_checked", articles("2", macau="mesa"), first="boards", others=("packs", "shuffled"))
)
def _checked(draw: Draw, book: Rulebook, difficulty: int, first: str, others: tuple[str, ...]) -> Situation:
    """One thing at the easiest level, one more at each further level; each may be wrong."""
    known = [name for name in others if not (book.coded_as == MACAU and name in ONLY_1995)]
    more = draw.sample(known, min(difficulty - 1, len(known)))
    kind: Kind = draw.pick(("single", "double"))
    found: Found = {}
    for name in (first, *more):
        found |= LOOKS[name](draw, book, kind, difficulty)
    facts = table(draw, book, difficulty, kind=kind)
    seats = tuple(seat for seat in facts["seats"] if seat <= min(found.get("boards", (9,)))) or (1,)
    return Situation(**facts | {"seats": seats}, table=kind, incident=TableChecked(**found))


case_table(
    "shoe",
    variant("packs_checked", articles("1", macau="intro"), first="packs", others=("shuffled", "before_last", "faces")),
    variant(
        "warning_card_checked",
        articles("5 s1", macau="carta-aviso s1"),
        first="before_last",
        others=("faces", "shuffled", "cut_card", "burned"),
    ),
    variant("cut_card_checked", articles("4 s4"), first="cut_card", others=("before_last", "faces", "burned")),
    variant("first_cards_checked", articles("5 s2"), first="burned", others=("cut_card", "before_last")),
)(_checked)
