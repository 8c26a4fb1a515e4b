"""The croupier repeats what ponto and banker declare, in the languages of the table.

Portugal 96 s0 and 96 b-1.
"""

from rules_engine.authoring import ImpossibleFacts, Reasoning, Rulebook, Utterance
from rules_engine.games.baccarat.cards import score
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.chemin_de_fer.books import PT
from rules_engine.games.chemin_de_fer.game import case, domain, rule
from rules_engine.games.chemin_de_fer.setting import coup
from rules_engine.games.chemin_de_fer.table import Call, Incident, Says, Situation, is_natural

WORDS: tuple[Says, ...] = ("card", "no", "eight", "nine")
NATURALS: dict[int, Says] = {8: "eight", 9: "nine"}

domain("languages", "own", "own_and_foreign")


class WordSpoken(Incident, frozen=True, tag="word_spoken"):
    """The ponto or the banker has just declared something, the last call in the log. What does the croupier say?"""

    def check(self, situation: Situation) -> None:
        last = situation.calls[-1] if situation.calls else None
        if last is None or last.by not in ("ponto", "banker") or last.says not in WORDS:
            raise ImpossibleFacts("calls", "neither the ponto nor the banker has just declared anything")
        cards = situation.ponto if last.by == "ponto" else situation.banker_cards
        if last.says in NATURALS.values() and not (is_natural(cards) and NATURALS[score(cards)] == last.says):
            raise ImpossibleFacts(
                "calls", "{word:play.word} is declared without having it on two cards", word=last.says
            )


@rule(WordSpoken, *PT)
def word_spoken(s: Situation, incident: WordSpoken, r: Reasoning) -> None:
    said = s.calls[-1].says
    r.pivot("96 b-1", "settlement.repeat_word", by=s.calls[-1].by)
    r.pivot("96 s0", "settlement.also_foreign" if s.foreigners else "settlement.own_language")
    r.choice("languages", "own_and_foreign" if s.foreigners else "own")
    r.words(said, tempting=[Utterance(word) for word in WORDS])


@case("announcements", {PT[0]: ("96 s0", "96 b-1")})
def word_to_repeat(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """The ponto's word, or the natural that the banker shows."""
    facts = coup(draw, book, difficulty)
    foreigners = draw.chance(0.5) if difficulty >= 2 else False
    facts |= {"foreign_language": draw.pick(("fr", "en"))} if foreigners else {}
    if draw.chance(0.3):
        natural = draw.pick((8, 9))
        ponto, banker = draw.hand(draw.number(0, 7)), draw.hand(natural)
        word: Says = "card" if score(ponto) < 5 else "no"
        calls = [Call("ponto", word), Call("croupier", word), Call("banker", NATURALS[natural])]
        hidden: tuple[str, ...] = ("ponto.1", "ponto.2")
    else:
        word = draw.pick(WORDS)
        ponto = draw.hand({"eight": 8, "nine": 9, "no": draw.number(5, 7), "card": draw.number(0, 5)}[word])
        banker, calls, hidden = draw.hand(draw.number(0, 9)), [Call("ponto", word)], ("banker.1", "banker.2")
    facts |= {"calls": (*facts["calls"], *calls), "ponto": ponto, "banker_cards": banker}
    return Situation(**facts, hidden=hidden, foreigners=foreigners, incident=WordSpoken())
