# SPDX-License-Identifier: MIT
"""arrays.py - numpy arrays as the C library reads them; without a copy where float32 rows allow it."""
from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .library import BoxArray

MIN_MAX, CENTER_EXTENT = 0, 1


def rows_of(array: ArrayLike, width: int, name: str) -> NDArray[np.float32]:
    """The array as float32 rows whose numbers stand side by side; the same memory if it can be."""
    rows = np.asarray(array, np.float32)
    if rows.ndim != 2 or rows.shape[1] != width:
        raise ValueError(f"{name} has shape {rows.shape}, not (n, {width})")
    if len(rows) and (rows.strides[1] != 4 or rows.strides[0] < 0):
        rows = np.ascontiguousarray(rows)
    return rows


def boxes_of(boxes: ArrayLike | tuple[ArrayLike, ArrayLike]) -> tuple[BoxArray, int, object]:
    """The boxes as a struct, their number, and what must live as long as the struct."""
    if isinstance(boxes, tuple):
        first, second = rows_of(boxes[0], 3, "centers"), rows_of(boxes[1], 3, "half_sizes")
        if len(second) not in (len(first), 1):
            raise ValueError(f"{len(first)} centers and {len(second)} half_sizes")
        struct = box_array(first, second, 0, CENTER_EXTENT)
        struct.second_stride *= len(second) > 1 # one half size holds for all
        return struct, len(first), (first, second)
    array = np.asarray(boxes)
    if array.ndim == 2 and array.shape[1] == 3:
        rows = rows_of(array, 3, "points")
        return box_array(rows, rows, 0, MIN_MAX), len(rows), rows
    rows = rows_of(array, 6, "boxes")
    return box_array(rows, rows, 12, MIN_MAX), len(rows), rows


def box_array(first, second, offset, form):
    return BoxArray(first.ctypes.data, second.ctypes.data + offset, first.strides[0], second.strides[0], form)


def items_of(items: ArrayLike, name: str = "items") -> NDArray[np.uint32]:
    """The array as item numbers, or as layer masks."""
    array = np.asarray(items)
    if array.ndim != 1 or not (np.issubdtype(array.dtype, np.integer) or array.size == 0):
        raise ValueError(f"{name} is no one-dimensional array of whole numbers")
    if array.dtype != np.uint32 and array.size and not 0 <= array.min() <= array.max() < 2**32:
        raise ValueError(f"{name} has numbers outside 0 to 2**32 - 1")
    return np.ascontiguousarray(array, np.uint32)


def masks_of(layers: ArrayLike, count: int, name: str = "layers") -> NDArray[np.uint32]:
    """A layer mask for each of `count` rows; one mask holds for all."""
    masks = items_of(np.broadcast_to(layers, (count,)), name)
    return masks


def vector_of(numbers: ArrayLike, size: int, name: str) -> NDArray[np.float32]:
    vector = np.asarray(numbers, np.float32)
    if vector.shape != (size,):
        raise ValueError(f"{name} has shape {vector.shape}, not ({size},)")
    return vector


def spheres_of(points: ArrayLike, radii: ArrayLike) -> NDArray[np.float32]:
    """(n, 4): center and radius."""
    points = rows_of(points, 3, "points")
    spheres = np.empty((len(points), 4), np.float32)
    spheres[:, :3], spheres[:, 3] = points, radii
    return spheres


def address(array: NDArray | None) -> int | None:
    return None if array is None else array.ctypes.data
