"""The real-time engine: what makes a chess program strong, for any game of the contract.

Read in this order: `engine` (the call, memory and threads), `deepening` (the root), `main_search`, `quiescence`,
`ordering`; beside these `desk` (what a thread works with), `transpositions` (what is remembered), `estimates` and
`scores` (numbers), `reports` and `answers` (what was found), `techniques` and `tuning` (what can be switched and set).
"""
