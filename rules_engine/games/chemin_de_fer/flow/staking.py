"""What the pontos stake against the bank of a coup, in sums of which the house can take its share."""

from msgspec import structs

from rules_engine.games.chemin_de_fer.flow.coup import Coup
from rules_engine.games.chemin_de_fer.settlement.cagnotte import BankWon
from rules_engine.games.chemin_de_fer.table import Situation, Stake

# How often a ponto plays the whole bank, or that or half of it with the table.
BANCO, BANCO_TABLE = 0.2, 0.3
# By how many smallest stakes one of them is changed at most.
CHANGES = 20


def claims(c: Coup) -> tuple[Stake, ...]:
    """What the pontos do: one plays the whole bank, one half of it with the table, or everybody stakes a little."""
    bank, unit = c.bank, c.unit
    luck = c.draw.number(1, 100) / 100
    lost = c.table["history"].get("lost")
    if luck <= BANCO:
        holder = lost if lost in c.pontos() and c.draw.chance(0.5) else c.draw.pick(c.pontos())
        whole = (Stake(holder, bank),)
        if share_payable(c, whole):
            c.claim, c.holder = "banco", holder
            return whole
    units = bank // unit
    stakes: list[Stake] = []
    if BANCO < luck <= BANCO_TABLE:
        c.claim, c.holder = "banco_table", c.draw.pick(_may_play_with_table(c))
        half = -(-bank // (2 * unit))  # at least half of the bank
        stakes.append(Stake(c.holder, half * unit))
        units = max(0, units - half)
    others = [place for place in c.pontos() if place != c.holder]
    for place in c.draw.sample(others, c.draw.number(1, 1 + c.busy)):
        if units:
            part = c.draw.number(1, max(1, units // 2))
            stakes.append(Stake(place, part * unit))
            units -= part
    if not any(stake.player.isdigit() for stake in stakes):
        stakes[0] = Stake(c.draw.pick([p for p in c.seated_pontos() if p != c.holder]), stakes[0].amount)
    return _with_payable_share(c, tuple(stakes))


def _may_play_with_table(c: Coup) -> list[str]:
    """Who may play half of the bank with the table: not again who has just lost by it (art. 57)."""
    return [place for place in c.seated_pontos() if place != _lost_with_table(c)]


def _lost_with_table(c: Coup) -> str | None:
    history = c.table["history"]
    return history.get("lost") if history.get("lost_by") == "banco_table" else None


def claim_holds(c: Coup, s: Situation) -> bool:
    """Whether who plays with the table in moved facts may do so, with half of the bank at least and not again, and
    whether who plays the bank alone has put chips down by the time the betting is closed: that they are missing would
    be a fault of its own (Sanremo 42)."""
    if s.claim == "banco" and any(call.says == "closed" for call in s.calls):
        return any(stake.player == s.holder for stake in s.stakes)
    if s.claim != "banco_table":
        return True
    staked = sum(stake.amount for stake in s.stakes if stake.player == s.holder)
    return 2 * staked >= c.bank and s.holder != _lost_with_table(c)


def share_payable(c: Coup, stakes: tuple[Stake, ...]) -> bool:
    """Whether the house could be paid its share of these stakes in chips of the table: no text rounds it."""
    if not stakes or not c.book.regulates(BankWon):
        return True
    ruling = c.rule(BankWon(), stakes=stakes)
    share = ruling.get("cagnotte") if ruling else None
    return ruling is not None and (not isinstance(share, int) or share % c.book.table.values[-1] == 0)


def _with_payable_share(c: Coup, stakes: tuple[Stake, ...]) -> tuple[Stake, ...]:
    """These stakes; if the house's share of them cannot be paid, one of them is a little lower or higher."""
    if share_payable(c, stakes):
        return stakes
    left = c.bank - sum(stake.amount for stake in stakes)
    for change in sorted(range(-CHANGES, CHANGES + 1), key=abs):
        for index, stake in reversed(list(enumerate(stakes))):
            amount = stake.amount + change * c.unit
            halved = stake.player == c.holder and change < 0
            if amount <= 0 or halved or change * c.unit > left:
                continue
            changed = (*stakes[:index], structs.replace(stake, amount=amount), *stakes[index + 1 :])
            if share_payable(c, changed):
                return changed
    return stakes
