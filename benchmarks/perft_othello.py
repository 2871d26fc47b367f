"""Claim: Othello perft on the cpu is at least 20 times as fast as OpenSpiel driven from Python.

Both count the last move without playing it, so that leaves a second can be compared over different depths.
"""

from measure import openspiel_perft, perft_against_openspiel

DEPTH, PEER_DEPTH = 10, 7

if __name__ == "__main__":
    perft_against_openspiel("Othello perft", "othello", DEPTH, PEER_DEPTH, 20, openspiel_perft)
