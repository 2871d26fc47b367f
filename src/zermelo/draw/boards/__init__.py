"""Positions for people: pictures and text of any game's states, and games that are played again move by move."""
