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
    if rows.shape == (0,):
        rows = rows.reshape(0, width) # an empty list
    if rows.ndim != 2 or rows.shape[1] != width:
        raise ValueError(f"{name} has shape {rows.shape}, not (n, {width})")
    if len(rows) and (rows.strides[1] != 4 or rows.strides[0] < 0):
        rows = np.ascontiguousarray(rows)
    return rows


def rows_or_one(array: ArrayLike, name: str) -> NDArray[np.float32]:
    """Rows of three numbers; a single one, or a number in the place of all three, is a row for all."""
    numbers = np.asarray(array, np.float32)
    if numbers.shape in ((), (3,)):
        numbers = np.broadcast_to(numbers, (1, 3))
    return rows_of(numbers, 3, name)


def boxes_of(boxes: ArrayLike | tuple[ArrayLike, ArrayLike]) -> tuple[BoxArray, int, object]:
    """The boxes as a struct, their number, and what must live as long as the struct."""
    if isinstance(boxes, tuple):
        first, second = rows_of(boxes[0], 3, "centers"), rows_or_one(boxes[1], "half_sizes")
        if len(second) not in (len(first), 1):
            raise ValueError(f"{len(first)} centers and {len(second)} half_sizes")
        struct = box_array(first, second, 0, CENTER_EXTENT)
        struct.second_stride *= len(second) > 1 # one half size holds for all
        return struct, len(first), (first, second)
    array = np.asarray(boxes)
    if array.ndim == 2 and array.shape[1] == 3:
        rows = rows_of(array, 3, "points")
        return box_array(rows, rows, 0, MIN_MAX), len(rows), rows
    if array.shape != (0,) and (array.ndim != 2 or array.shape[1] != 6):
        raise ValueError(f"boxes has shape {array.shape}, not (n, 6), nor (n, 3) for points")
    rows = rows_of(array, 6, "boxes")
    return box_array(rows, rows, 12, MIN_MAX), len(rows), rows


def box_array(first, second, offset, form):
    return BoxArray(first.ctypes.data, second.ctypes.data + offset, first.strides[0], second.strides[0], form)


def items_of(items: ArrayLike, name: str = "items") -> NDArray[np.uint32]:
    """The array as item numbers, or as layer masks."""
    array = np.asarray(items)
    if array.dtype == bool:
        raise ValueError(f"{name} is a mask; np.flatnonzero({name}) has its numbers")
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


def check_count(numbers: ArrayLike, count: int, name: str, rows: str) -> None:
    """Refuses what is neither one number nor one for each row."""
    if np.shape(numbers) not in ((), (1,), (count,)):
        raise ValueError(f"{name} has shape {np.shape(numbers)}, but there are {count} {rows}")


def spheres_of(points: ArrayLike, radii: ArrayLike) -> NDArray[np.float32]:
    """(n, 4): center and radius."""
    points = rows_of(points, 3, "points")
    check_count(radii, len(points), "radius", "points")
    spheres = np.empty((len(points), 4), np.float32)
    spheres[:, :3], spheres[:, 3] = points, radii
    return spheres


def address(array: NDArray | None) -> int | None:
    return None if array is None else array.ctypes.data
