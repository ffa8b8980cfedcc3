# SPDX-License-Identifier: MIT
"""neighbors.py - what Tree.neighbors answers: a list of items for each row."""
from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

ROW = np.dtype([("first", np.uintp), ("count", np.uint32), ("order", np.uint32)], align=True)


class Neighbors:
    """Neighbors of many rows. `items` and `distances` hold them all; those of row i begin at first[i],
    and there are counts[i] of them.

    Indexing gives one row's items, a view: neighbors[7]. Rows stand in `items` in the order of the tree;
    to_csr puts them in order."""

    def __init__(self, rows: NDArray, items: NDArray[np.uint32], distances: NDArray[np.float32] | None):
        self.first = rows["first"]
        self.counts = rows["count"]
        self._order = rows["order"] # the rows, as their neighbors stand in items
        self.items = items
        self.distances = distances

    def __repr__(self) -> str:
        return f"<acre.Neighbors: {len(self)} rows, {len(self.items)} items>"

    def __len__(self) -> int:
        return len(self.counts)

    def __getitem__(self, row: int) -> NDArray[np.uint32]:
        return self.items[self.first[row]:self.first[row] + self.counts[row]]

    def distances_of(self, row: int) -> NDArray[np.float32]:
        """How far row's neighbors are, where neighbors was asked for distances."""
        if self.distances is None:
            raise ValueError("ask with distances=True")
        return self.distances[self.first[row]:self.first[row] + self.counts[row]]

    def pointers(self) -> NDArray[np.int64]:
        """Where rows would begin if they stood in order, and the end of the last."""
        begins = np.zeros(len(self) + 1, np.int64)
        np.cumsum(self.counts, out=begins[1:])
        return begins

    def places(self) -> NDArray[np.int64]:
        """Where the neighbors stand in `items`, row by row."""
        begins = self.pointers()
        shifts = self.first.astype(np.int64) - begins[:-1]
        return np.arange(begins[-1]) + np.repeat(shifts, self.counts)

    def to_csr(self):
        """(data, indices, indptr): data are distances, or ones without them.

        scipy.sparse.csr_array(neighbors.to_csr(), shape=(rows, items)) is the matrix of them."""
        places = self.places()
        if self.distances is None:
            data = np.ones(len(places), np.float32)
        else:
            data = self.distances[places]
        return data, self.items[places].astype(np.int64), self.pointers()
