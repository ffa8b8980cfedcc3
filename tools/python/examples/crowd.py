# SPDX-License-Identifier: MIT
"""crowd.py - walkers who keep away from each other, and a plot of how crowded it is around each.

    python3 tools/python/examples/crowd.py [WALKERS] [--plot FILE.png]

acre must be installed; the plot needs matplotlib (Debian: python3-matplotlib)."""
import argparse
import time

import acre
import numpy as np

FRAMES, REACH, SIDE = 60, 4.0, 200.0


def step(walkers, goals, tree):
    """Everybody goes toward a goal and away from who is near."""
    tree.refresh_all(walkers)
    tree.maintain()
    near = tree.neighbors(REACH, nearest=12, distances=True)
    far, other, begins = near.to_csr()
    row = np.repeat(np.arange(len(walkers)), np.diff(begins))
    away = (walkers[row] - walkers[other]) / np.maximum(far, 0.1)[:, None] ** 2
    push = np.stack([np.bincount(row, away[:, axis], len(walkers)) for axis in range(3)], axis=1)
    way = goals - walkers
    way /= np.maximum(np.linalg.norm(way, axis=1), 1)[:, None]
    walkers += (0.1 * way + 0.1 * np.clip(push, -1, 1)).astype(np.float32)
    return near.counts


def plot(walkers, counts, path):
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot
    figure, axes = pyplot.subplots(figsize=(7, 6))
    dots = axes.scatter(walkers[:, 0], walkers[:, 2], c=counts, s=3, cmap="viridis")
    axes.set(aspect="equal", xlabel="x, m", ylabel="z, m", title=f"{len(walkers):,} walkers after {FRAMES} frames")
    figure.colorbar(dots, label=f"others within {REACH:g} m, at most 12")
    figure.savefig(path, dpi=110, bbox_inches="tight")


def main():
    parser = argparse.ArgumentParser(description="walkers who keep away from each other")
    parser.add_argument("walkers", nargs="?", type=int, default=20_000)
    parser.add_argument("--plot", metavar="FILE.png")
    options = parser.parse_args()
    random = np.random.default_rng(1)
    walkers = random.uniform(-SIDE, SIDE, (options.walkers, 3)).astype(np.float32)
    walkers[:, 1] = 0
    goals = random.permutation(walkers)
    tree = acre.Tree(half_size=SIDE)
    tree.insert(walkers)
    start = time.perf_counter()
    for _ in range(FRAMES):
        counts = step(walkers, goals, tree)
    spent = 1000 * (time.perf_counter() - start) / FRAMES
    print(f"{options.walkers} walkers, {counts.mean():.1f} near each; {spent:.1f} ms a frame")
    if options.plot:
        plot(walkers, counts, options.plot)


if __name__ == "__main__":
    main()
