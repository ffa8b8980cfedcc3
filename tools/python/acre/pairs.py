# SPDX-License-Identifier: MIT
"""pairs.py - which boxes are a pair."""
from __future__ import annotations

from .arrays import items_of
from .library import PairsRules

ON_GROUND, NOT_TOUCHING = 1, 2


def rules_of(on_ground: bool, not_touching: bool, meets):
    """The struct, and what must live as long as it does."""
    rules = PairsRules(flags=ON_GROUND * bool(on_ground) | NOT_TOUCHING * bool(not_touching))
    masks = None
    if meets is not None:
        masks = items_of(meets, "meets")
        if len(masks) != 32:
            raise ValueError(f"meets has {len(masks)} masks; one for each of 32 layers is wanted")
        rules.meets = masks.ctypes.data
    return rules, masks
