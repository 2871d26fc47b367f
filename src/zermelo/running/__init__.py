"""What every call needs, once: machines, refusals, callbacks, repetition, what may go wrong.

Read in this order: `devices` (which machine answers), `suitability` (does the method fit the game), `callbacks`
(functions that the caller brings), `statuses` (how kernels say what went wrong), `faults` and `nodes` (what no method
may overlook in rules), `repetition` (positions that came up before), `recursion` (how deep
walks go), `sums` (both players' values by that of one).
"""
