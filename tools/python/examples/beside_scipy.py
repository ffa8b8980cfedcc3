# SPDX-License-Identifier: MIT
"""beside_scipy.py - walkers move, then who is near whom: Acre's frame beside those of scipy's cKDTree.

    python3 tools/python/examples/beside_scipy.py [FRAMES]

acre must be installed, and scipy (Debian: python3-scipy). Engines take turns; each answer is compared.
Prints a row for a crowd: milliseconds, then how many times as long scipy takes."""
import sys
import time

import acre
import numpy as np
from scipy.spatial import cKDTree

RADIUS = 10


def timed(call, spent):
    start = time.perf_counter()
    answer = call()
    spent.append(1000 * (time.perf_counter() - start))
    return answer


def frame(tree, walkers):
    tree.refresh_all(walkers)
    tree.maintain()
    return tree.neighbors(RADIUS)


def compare(walkers, near, pairs, balls):
    """All three must have the same pairs, but for those within rounding of the radius: scipy computes in
    doubles."""
    tree = cKDTree(walkers)
    least, most = (2 * len(tree.query_pairs(RADIUS * share, output_type="ndarray"))
                   for share in (1 - 1e-6, 1 + 1e-6))
    if not (least <= len(near.items) <= most and 2 * len(pairs) == sum(map(len, balls)) - len(balls)):
        raise SystemExit(f"{len(near.items)} neighbors, {len(pairs)} pairs, {sum(map(len, balls))} in balls")


def measure(count, side, frames):
    random = np.random.default_rng(1)
    walkers = random.uniform(-side, side, (count, 3)).astype(np.float32)
    steps = random.uniform(-0.1, 0.1, walkers.shape).astype(np.float32)
    walkers[:, 1] = steps[:, 1] = 0
    tree = acre.Tree(half_size=side)
    tree.insert(walkers)
    frame(tree, walkers)
    own, pairs, balls = [], [], []
    for _ in range(frames):
        walkers += steps
        near = timed(lambda: frame(tree, walkers), own)
        found = timed(lambda: cKDTree(walkers).query_pairs(RADIUS, output_type="ndarray"), pairs)
        lists = timed(lambda: cKDTree(walkers).query_ball_point(walkers, RADIUS), balls)
        compare(walkers, near, found, lists)
    print(f"| {count:,} | {len(near.items) / count:.1f} | {min(own):.1f}, {np.median(own):.1f} |"
          f" {min(pairs) / min(own):.1f}, {np.median(pairs) / np.median(own):.1f} |"
          f" {min(balls) / min(own):.0f}, {np.median(balls) / np.median(own):.0f} |", flush=True)


def main():
    frames = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    print("| Walkers | Neighbors of each | Acre, ms: least, median | build and query_pairs | build and query_ball_point |")
    print("|---|---|---|---|---|")
    measure(20_000, 500, frames)
    measure(300_000, 2000, max(frames // 3, 1))


if __name__ == "__main__":
    main()
