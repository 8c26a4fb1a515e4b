"""What roulette, cussec, craps and banca francesa share: bets on a printed layout. It is not a game itself.

- `layout`: the spots of the cloth, their order and their names.
- `table`: bets, and a table with bets on it.
- `incidents`: fields and checks of incidents that several of these games have.
- `settlement`: how bets are settled, and the questions about what is paid.
- `closing`: bets placed, moved or taken back late.
- `relief`: how long the dealer who throws may stay.
- `setting`: players and chips for generated scenarios.
- `odds`: exact odds of a bet.

Prices, limits and clauses stay in each game.
"""
