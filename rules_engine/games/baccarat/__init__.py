"""What the baccarat games share: the values of cards, two hands, and the words for both. Not a game in itself."""
