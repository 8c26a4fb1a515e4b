"""How well the finder of the editor answers what instructors type."""

import pytest

from rules_engine import RULEBOOKS
from training.library import incident_search
from training.search.stemming import stem

# By rulebook: what is typed, and the kinds of incident that are meant.
QUERIES = {
    "pt-chemin-de-fer": {
        "aposta tardia": "late_stakes stake_after_words",
        "late bet": "late_stakes stake_after_words",
        "depois do nada mais": "stake_after_words late_stakes",
        "dois em pé bancô": "claims_open",
        "two standing players banco": "claims_open",
        "terceira carta errada": "banker_drew ponto_false_draw",
        "carta no chão": "card_on_floor",
        "card dropped on the floor": "card_on_floor",
        "cartas caídas": "card_on_floor cards_binned third_card_binned",
        "leilão sem comprador": "auction_unsold",
        "quem compra a mão no leilão": "auction_ends buyer_wont_deal auction_opens auction_unsold",
        "lanço mais baixo": "bid_made",
        "banqueiro com três cartas": "banker_has_extra_cards banker_takes_two",
        "carta a mais do ponto": "ponto_has_extra_cards ponto_gets_several",
        "ponto não abateu": "natural_not_shown",
        "natural not shown": "natural_not_shown",
        "cartas coladas": "stuck_third_cards",
        "pagador virou cartas": "croupier_exposed_cards",
        "croupier mixed cards": "croupier_mixed_cards",
        "palavra errada": "wrong_word_repeated changed_word",
        "carta-aviso": "warning_card_out warning_card_put",
        "queimar cartas": "shoe_loaded",
        "baralhar": "croupier_shuffles shuffle_requested",
        "corte": "cut_offered cut_card_in",
        "aposta em notas": "notes_staked",
        "ordem de pagamento": "coup_being_settled stakes_to_settle",
        "comissão da banca": "bank_won uncovered_win",
        "sócio do banqueiro": "partner_acts partner_joins",
        "conselho": "advice_asked",
        "lugar reservado vazio": "seat_empty",
        "primeira mão do jogo": "game_opens",
        "banca fora da vez": "bank_out_of_turn",
        "hora de fecho": "closing_time",
        "carta vista antes de fechar": "drawn_before_closing",
        "104 m": "card_on_floor",
        "art. 104 e)": "banker_takes_two",
        "105 a": "natural_not_shown",
    },
    "it-sanremo-chemin-de-fer": {
        "nota falsa": "false_note",
        "cartas em ordem trocada": "deal_inverted",
    },
    "pt-ponto-banca-1995": {
        "aposta fora de tempo": "late_bet",
        "carta virada no sabot": "face_up_in_shoe",
        "baralhos novos": "packs_brought packs_reused",
    },
    "pt-roleta-francesa": {
        "fichas desmarcadas": "chips_knocked",
        "fichas tombadas": "chips_knocked",
        "bola caiu": "fell_in ball_comes_down void_spin",
        "golpe nulo": "void_spin",
        "pagar o pleno": "number_out chance_asked spots_to_value payment_to_announce prize_seen",
    },
    "pt-roleta-americana": {
        "fichas de cor": "colour_bought value_chosen chips_brought_back chips_played",
        "vizinhos do zero": "neighbour_asked",
    },
    "pt-black-jack": {
        "seguro": "insurance_placed insurance_due insurance_moment",
        "insurance payout": "insurance_due",
        "dobrar": "double_wanted",
        "dividir par": "split_wanted",
        "desistir": "surrender_wanted",
    },
    "pt-craps": {
        "dado saiu da mesa": "jumped_die",
        "die off the table": "jumped_die",
        "quem lança os dados": "shooter_sought",
        "shooter": "shooter_sought throw_over dice_handled",
    },
    "pt-banca-francesa": {
        "dado encostado": "throw_ends",
        "dados suspeitos": "dice_suspected",
        "dados apreendidos": "set_seized set_packed seizure_reviewed",
    },
    "pt-cussec": {
        "zona acesa por engano": "zones_lit",
        "redoma": "dome_lifted covering_wanted",
    },
    "pt-maquinas": {
        "jackpot para outra máquina": "jackpot_stranded",
        "reclamação": "claim_made",
        "plano de pagamentos": "plan_submitted",
        "segunda máquina": "second_machine",
    },
}
TOP = 3
WANTED = 0.95


def test_what_instructors_type_is_among_the_first_three() -> None:
    asked = [(words, book, kinds) for book, queries in QUERIES.items() for words, kinds in queries.items()]
    missed = [one for one in asked if not _found(*one)]
    assert len(asked) >= 60
    assert 1 - len(missed) / len(asked) >= WANTED, missed


def _found(asked: str, book: str, kinds: str) -> bool:
    first = dict.fromkeys(one.kind for one in incident_search.search(book, "pt", asked))
    return bool(set(list(first)[:TOP]) & set(kinds.split()))


@pytest.mark.parametrize("book", RULEBOOKS)
def test_words_that_mean_nothing_find_nothing(book: str) -> None:
    assert incident_search.search(book, "pt", "xyzzy") == []


def test_a_long_search_costs_no_more_than_a_short_one() -> None:
    incident_search.search("pt-chemin-de-fer", "pt", "aposta")  # makes the index
    before = stem.cache_info().misses
    long = " ".join(f"palavra{number}" for number in range(5_000))
    assert incident_search.search("pt-chemin-de-fer", "pt", long) == []
    assert stem.cache_info().misses - before < 200
