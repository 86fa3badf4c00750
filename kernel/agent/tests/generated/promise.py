# SPDX-License-Identifier: GPL-2.0
"""
How many figures may be beyond their stated bound when it is as good as docs/probes-and-cost.md says.

The promise is of one figure: its bound is wrong at most once in a hundred times.  Figures of one recording
are not independent: what its probes cost is measured once for all of them, and calls lie within each other.
So the unit is the program.  Of each the share of its figures that are wrong is a number from 0 to 1 whose mean
is at most the promise, and programs are recorded one after the other, each with a measurement of its own.  For the
sum of such shares Hoeffding's first inequality (1963) holds, however the figures of one program depend on
each other: of n shares with mean p, the chance that they sum up to n x or more is at most
exp(-n (x ln(x / p) + (1 - x) ln((1 - x) / (1 - p)))).
"""
import math

PROMISE = 0.01
CHANCE = 1e-6  # that the test fails although the promise is kept


def log_chance(programs, share):
    """Of that mean share or a greater one; a natural logarithm."""
    if share >= 1:
        return programs * math.log(PROMISE)
    return -programs * (share * math.log(share / PROMISE) + (1 - share) * math.log((1 - share) / (1 - PROMISE)))


def most_by_chance(programs):
    """The sum of shares that is reached with that chance; more than there can be where programs are too few to tell."""
    low, high = PROMISE, 1.0
    if not programs or log_chance(programs, 1) > math.log(CHANCE):
        return float(programs)
    for _ in range(60):
        middle = (low + high) / 2
        if log_chance(programs, middle) > math.log(CHANCE):
            low = middle
        else:
            high = middle
    return programs * high
