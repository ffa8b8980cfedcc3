# SPDX-License-Identifier: MIT
"""shapes.py - the volumes that a query may ask for. y is up; angles are radians."""
from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from . import library as c
from .arrays import rows_of, vector_of


class Shape:
    """What one of this module's functions makes; Tree.query takes it."""

    def __init__(self, number: int, field: str | None, struct: Any):
        self.number, self.field, self.struct = number, field, struct

    def query(self) -> c.Query:
        query = c.Query(shape=self.number)
        if self.field:
            setattr(query, self.field, ctypes.addressof(self.struct))
        return query


def vector(numbers: ArrayLike, size: int, name: str):
    return (ctypes.c_float * size)(*vector_of(numbers, size, name))


def frustum(planes: ArrayLike) -> Shape:
    """At most 16 planes, rows nx, ny, nz, d: a point p is inside where n.p + d >= 0 for all.

    An item is found if its box is not wholly outside one of them. Those of a camera whose matrix `m` takes
    columns x, y, z, 1 to OpenGL's clip space: m[3] + m[0], m[3] - m[0], m[3] + m[1], m[3] - m[1],
    m[3] + m[2], m[3] - m[2]. The matrix itself is no such array, though four of its rows look like one."""
    rows = np.ascontiguousarray(rows_of(planes, 4, "planes"))
    if len(rows) > 16:
        raise ValueError(f"planes has {len(rows)} rows; a frustum has at most 16")
    struct = c.Frustum(plane_count=len(rows))
    ctypes.memmove(struct.planes, rows.ctypes.data, rows.nbytes)
    return Shape(1, "frustum", struct)


def box(low: ArrayLike, high: ArrayLike) -> Shape:
    """A box by its smallest and its largest corner; touching counts."""
    return Shape(2, "box", c.Box(vector(low, 3, "low"), vector(high, 3, "high")))


def everything() -> Shape:
    """Every item."""
    return Shape(3, None, None)


def point(place: ArrayLike) -> Shape:
    """The boxes that hold a point."""
    return Shape(4, "point", vector(place, 3, "place"))


def ground_point(place: ArrayLike) -> Shape:
    """The boxes over or under a point x, z of the ground, at any height."""
    x, z = vector_of(place, 2, "place")
    return Shape(5, "point", (ctypes.c_float * 3)(x, 0, z))


def sphere(center: ArrayLike, radius: float) -> Shape:
    return Shape(6, "sphere", c.Sphere(vector(center, 3, "center"), radius))


def circle(center: ArrayLike, radius: float) -> Shape:
    """A circle on the ground, center x, z: a cylinder of any height."""
    return Shape(7, "circle", c.Circle(vector(center, 2, "center"), radius))


def capsule(start: ArrayLike, end: ArrayLike, radius: float) -> Shape:
    """All points no farther than radius from a segment."""
    return Shape(8, "capsule", c.Capsule(vector(start, 3, "start"), vector(end, 3, "end"), radius))


def cone(apex: ArrayLike, direction: ArrayLike, length: float, angle: float) -> Shape:
    """From its tip to a flat base; angle between direction and side, at most 1.4."""
    return Shape(9, "cone", c.Cone(vector(apex, 3, "apex"), vector(direction, 3, "direction"), length, angle))


def oriented_box(center: ArrayLike, half_size: ArrayLike, axes: ArrayLike) -> Shape:
    """A turned box; rows of axes are the directions of its own x, y and z axis."""
    turned = rows_of(axes, 3, "axes")
    if len(turned) != 3:
        raise ValueError(f"axes has shape {turned.shape}, not (3, 3)")
    struct = c.OrientedBox(vector(center, 3, "center"), vector(half_size, 3, "half_size"))
    for row, numbers in zip(struct.axes, turned):
        row[:] = [float(number) for number in numbers]
    return Shape(10, "oriented_box", struct)


def ray(origin: ArrayLike, direction: ArrayLike, length: float = np.inf,
        half_size: ArrayLike = (0, 0, 0)) -> Shape:
    """A ray; with a length, a segment; with a half size, a box that moves along it."""
    return Shape(11, "ray", c.Ray(vector(origin, 3, "origin"), vector(direction, 3, "direction"), length,
                                  vector(half_size, 3, "half_size")))
