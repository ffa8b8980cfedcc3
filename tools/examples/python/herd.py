# SPDX-License-Identifier: MIT
"""herd.py - 100,000 sheep walk; each frame asks which of them a window over the pasture shows.

    ACRE_LIBRARY=build/libacre.so python3 tools/examples/python/herd.py [SHEEP]
"""
import sys
import time

import numpy as np

from acre_tree import Quadtree

FRAMES = 60
WINDOW = [[1, 0, 0, 100], [-1, 0, 0, 100], [0, 0, 1, 100], [0, 0, -1, 100]]  # |x| and |z| < 100


def main():
    sheep = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    random = np.random.default_rng(1)
    centers = random.uniform(-2000, 2000, (sheep, 3)).astype(np.float32)
    centers[:, 1] = 0.5
    half_sizes = np.full((sheep, 3), 0.5, np.float32)
    steps = random.uniform(-0.1, 0.1, (sheep, 3)).astype(np.float32)
    steps[:, 1] = 0
    with Quadtree(half_size=2000) as tree:
        tree.insert(np.arange(sheep), (centers, half_sizes))
        spent = 0.0
        for _ in range(FRAMES):
            centers += steps
            start = time.perf_counter()
            tree.refresh_all((centers, half_sizes))
            tree.maintain()
            visible = tree.query_frustum(WINDOW)
            spent += time.perf_counter() - start
        reached = (centers - half_sizes <= 100) & (centers + half_sizes >= -100)
        expected = np.flatnonzero(reached[:, 0] & reached[:, 2])
        assert np.array_equal(np.sort(visible), expected)
    print(f"{sheep} sheep, {len(visible)} in the window; refresh and query take "
          f"{1000 * spent / FRAMES:.2f} ms a frame")


if __name__ == "__main__":
    main()
