"""The real-time engine: what makes a chess program strong, for any game of the contract.

Read in this order: `switches` (the techniques), `desk` (what a thread works with), `tree` (the search), `quiescence`,
`ordering`, `transpositions`, `values`, `deepening` (the root), `trials` (random games), `machinery` (threads and
answers), `search` (the call).
"""
