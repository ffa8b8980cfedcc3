# SPDX-License-Identifier: MIT
"""contacts.py - pairs of overlapping items from call to call: which there are, began and ended."""
from __future__ import annotations

import ctypes

import numpy as np
from numpy.typing import NDArray

from .library import check, library, pointer
from .pairs import rules_of


class Contacts:
    """Follows the pairs of one tree, or between two.

    >>> import acre
    >>> tree, contacts = acre.Tree(), acre.Contacts()
    >>> tree.insert([[0, 0, 0, 2, 1, 2], [1, 0, 1, 3, 1, 3]])
    >>> contacts.update(tree).began
    array([[0, 1]], dtype=uint32)
    >>> tree.refresh([[9, 0, 9, 10, 1, 10]], [1])
    >>> contacts.update(tree).ended
    array([[0, 1]], dtype=uint32)
    """

    now: NDArray[np.uint32]    #: (n, 2): the pairs of the last update
    began: NDArray[np.uint32]  #: of these, those that the update before did not find
    ended: NDArray[np.uint32]  #: those that only the update before found

    def __init__(self):
        self._contacts = pointer()
        check(library.acre_contacts_create(None, ctypes.byref(self._contacts)))
        self.now = self.began = self.ended = np.empty((0, 2), np.uint32)

    def __del__(self):
        if getattr(self, "_contacts", None):
            library.acre_contacts_destroy(self._contacts)

    def update(self, first, second=None, *, on_ground=False, not_touching=False, meets=None) -> Contacts:
        """Finds the pairs, as Tree.pairs and Tree.pairs_between do, and compares them with the last ones."""
        rules, _alive = rules_of(on_ground, not_touching, meets)
        check(library.acre_contacts_update(self._contacts, first.handle, second and second.handle,
                                           ctypes.byref(rules)))
        lists = library.acre_contacts_get(self._contacts)
        self.now = copy_pairs(lists.now, lists.now_count)
        self.began = copy_pairs(lists.began, lists.began_count)
        self.ended = copy_pairs(lists.ended, lists.ended_count)
        return self


def copy_pairs(place, count):
    pairs = np.empty((count, 2), np.uint32)
    if count:
        ctypes.memmove(pairs.ctypes.data, place, pairs.nbytes)
    return pairs
