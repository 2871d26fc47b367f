"""The forms of a game: its tree with information sets, its table of strategies, its sequences, its rows of numbers."""
