"""What is printed on the banca francesa cloth: the names of the bands, which make way for the chips on them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from training.drawing.arched import Arched, arched, length
from training.drawing.cloths.banca_francesa import words
from training.drawing.cloths.banca_francesa.frame import BANDS, Frame
from training.drawing.primitives import Label, Part
from training.drawing.scene import Scene

WANTED = (0.17, 0.5, 0.83)  # where the names should be, as parts of the length of the band
STRAY = 0.15  # how far a name may be from there
APART = 16  # from one name to the next
STEP = 6
DROP = 0.36  # from the middle of the letters down to their base line, as a part of their size
Taken = list[tuple[float, float]]  # from where to where something lies along a band


def names(scene: Scene, frame: Frame, places: int, chips: Mapping[str, Taken]) -> Iterator[Part]:
    """The names of the bands, clear of the chips on each."""
    texts, notes = words.field_names(), {} if scene.asking else words.notes()
    won = scene.marks_after.get("chance", "")
    for band, smaller in zip(BANDS, (1, 0.9, 0.8), strict=True):
        kind = "field-print gold" if band in ("aces", won) else "field-print"
        if not frame.band(band)[1]:
            yield from _in_the_middle(frame, places, texts[band].upper(), notes.get(band, ""), kind)
            continue
        run = Run(frame, places, frame.ring(band), kind, smaller * frame.print, list(chips[band]))
        found = list(run.names(texts[band].upper(), notes.get(band, "")))
        yield from found or _at_foot(frame, places, band, texts[band], kind)


@dataclass(frozen=True)
class Run:
    """The print along one band."""

    frame: Frame
    places: int
    ring: int
    kind: str
    size: float
    taken: Taken

    def names(self, text: str, note: str) -> Iterator[Arched]:
        """The name wherever it is wanted and there is room, with its small print if there is room for that too."""
        gap, small = 0.6 * self.size, self.frame.note
        for wanted in WANTED:
            for more in dict.fromkeys((note, "")):
                name, extra = length(text, self.size), length(more, small) + gap if more else 0.0
                middle = self._free(wanted, (name + extra) / 2)
                if middle is None:
                    continue
                yield self._printed(text, self.size, middle - extra / 2, self.kind)
                if more:
                    yield self._printed(more, small, middle + (name + gap) / 2, f"{self.kind} note")
                self.taken.append((middle - (name + extra) / 2 - APART, middle + (name + extra) / 2 + APART))
                break

    def _printed(self, text: str, size: float, middle: float, kind: str) -> Arched:
        base = self.ring - DROP * size
        scale = self.frame.length(base, self.places) / self.frame.length(self.ring, self.places)
        return arched(kind, text, size, middle * scale, lambda far: self.frame.curve(base, far, self.places))

    def _free(self, wanted: float, half: float) -> float | None:
        """The nearest place along the band where so much print lies clear of everything."""
        total = self.frame.length(self.ring, self.places)
        reach = int(STRAY * total / STEP)
        for shift in sorted(range(-reach, reach + 1), key=abs):
            middle = wanted * total + shift * STEP
            inside = half + 4 <= middle <= total - half - 4
            if inside and all(middle + half < start or middle - half > end for start, end in self.taken):
                return middle
        return None


def _in_the_middle(frame: Frame, places: int, text: str, note: str, kind: str) -> Iterator[Label]:
    """The name of a field between the legs, whose chips lie along its edge."""
    size, y = 0.9 * frame.print, frame.legs(places) // 2
    yield Label(kind, 0, y, text, size=size)
    if note:
        yield Label(f"{kind} note", 0, round(y + 1.3 * size), note, size=frame.note)


def _at_foot(frame: Frame, places: int, band: str, text: str, kind: str) -> Iterator[Label]:
    """The name below the ends of a band that is full of chips."""
    size = 0.8 * frame.print
    for side in (-1, 1):
        yield Label(kind, side * frame.ring(band), round(frame.legs(places) + size), text, size=size)
