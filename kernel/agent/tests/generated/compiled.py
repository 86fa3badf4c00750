# SPDX-License-Identifier: GPL-2.0
"""Compiles the programs of generated_test.py, so that this need not wait for it: usage: compiled.py BUILD"""
import concurrent.futures
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, ".."), HERE]
from generate import SEEDS, Program  # noqa: E402
from checks import BUILD, say  # noqa: E402

folder = os.path.join(BUILD, "generated")
os.makedirs(folder, exist_ok=True)
with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    paths = set(pool.map(lambda seed: Program(seed, None).compile(folder), SEEDS))
say(len(paths) == len(SEEDS), "generated programs are compiled", len(paths))
