"""The busts of king, queen and jack on court cards, in the four flat colours of a pack."""

from functools import cache

DARK, GOLD, SKIN, IVORY = "#22202b", "#d8a545", "#f7e2c6", "#fdf8ea"
COLOURS = {"red": "#b3212c", "black": DARK}
EDGE = f'stroke="{DARK}" stroke-width=".9" stroke-linejoin="round"'
ROBE = (
    "M3 52C4 40 14 35 22 33.5H34C42 35 52 40 53 52Z",
    "M22 33.5 28 45 34 33.5 38 34.5 30.5 52H25.5L18 34.5Z",
)
FACE = "M21.5 16C21.5 12 34.5 12 34.5 16V24C34.5 29.5 31 33 28 33S21.5 29.5 21.5 24Z"
# What hangs behind the face, in its colour.
HAIR = {
    "K": ("#6b4a2b", "M19.5 14C17 22 18.5 30 22 33L28 36 34 33C37.5 30 39 22 36.5 14Z"),
    "Q": (
        "#8a5a22",
        "M28 9C14 9 15 26 17.5 36 20.5 37.5 24 36 24 33H32C32 36 35.5 37.5 38.5 36 41 26 42 9 28 9Z",
    ),
    "J": ("#3a2a1e", "M19.5 14C18 20 18.5 26 20 29.5H36C37.5 26 38 20 36.5 14Z"),
}
# What is before it: beard and crown, tiara, beret and feather. An empty colour is that of the suit.
FRONT: dict[str, tuple[tuple[str, str], ...]] = {
    "K": (
        ("#6b4a2b", "M22 26.5C22.5 34 26 38 28 39 30 38 33.5 34 34 26.5 31.5 28 29.5 26.6 28 26.6S24.5 28 22 26.5Z"),
        (GOLD, "M18.5 15.5 17 4.5 23 9.5 28 2 33 9.5 39 4.5 37.5 15.5Z"),
        ("", "M18.5 15.5h19v-2.8h-19Z"),
    ),
    "Q": (
        ("#8a5a22", "M21.5 17C24 16.5 27 14.5 28 12 29 14.5 32 16.5 34.5 17 34 12 31 10.5 28 10.5S22 12 21.5 17Z"),
        (GOLD, "M19.5 11.5Q28 6.5 36.5 11.5L35.5 6.5 31.5 8 28 3 24.5 8 20.5 6.5Z"),
        ("", "M26.5 3a1.5 1.5 0 1 0 3 0a1.5 1.5 0 1 0-3 0"),
    ),
    "J": (
        ("", "M16.5 13.5C16 7 24 4 30 5 37 6 41 10 39.5 14 34 11.5 22 11.5 16.5 13.5Z"),
        (GOLD, "M17 13.8C22 11.7 34 11.7 39.3 14.2L38.8 16.4C33 14 23 14 17.3 16Z"),
        (IVORY, "M34 7.5C38 3 43 2 47 4 44 5 45.5 7 43 8 41 9 37.5 9 34 7.5Z"),
    ),
}


@cache
def symbol(name: str) -> str:
    """A bust as a symbol, named `court-K-red`."""
    rank, suits = name.removeprefix("court-").split("-")
    own = COLOURS[suits]

    def path(colour: str, d: str) -> str:
        return f'<path d="{d}" fill="{colour or own}" {EDGE}/>'

    eyes = f'<path d="M24.2 20.2h2.4M29.4 20.2h2.4" stroke="{DARK}" stroke-width="1.2" stroke-linecap="round"/>'
    nose = f'<path d="M28 20.5 27.2 25h1.5" fill="none" stroke="{DARK}" stroke-width=".7"/>'
    mouth = '<path d="M26.2 29q1.8 1 3.6 0" fill="none" stroke="#a2262e" stroke-width="1.1" stroke-linecap="round"/>'
    behind, robe = path(*HAIR[rank]), path("", ROBE[0]) + path(GOLD, ROBE[1])
    front = "".join(path(colour, d) for colour, d in FRONT[rank])
    face = f"{path(SKIN, FACE)}{eyes}{nose}"
    return f'<symbol id="{name}" viewBox="2 0 52 52">{behind}{robe}{face}{front}{mouth}</symbol>'
