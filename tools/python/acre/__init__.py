# SPDX-License-Identifier: MIT
"""Acre for numpy: a loose quadtree over the x/z ground plane, for boxes that move.

Items are numbers, best the rows of your arrays. Boxes are float32 arrays of shape (n, 6), min x y z and
max x y z; a pair of arrays (n, 3), centers and half sizes; or an array (n, 3) of points.

>>> import numpy as np, acre
>>> boxes = np.float32([[0, 0, 0, 1, 1, 1], [5, 0, 5, 6, 1, 6], [50, 0, 50, 51, 9, 51]])
>>> tree = acre.Tree(half_size=100)
>>> tree.insert(boxes)
>>> tree.query(acre.sphere([0, 0, 0], 10))
array([0, 1], dtype=uint32)
>>> tree.nearest(1, [60, 0, 60]).items
array([2], dtype=uint32)
>>> boxes += np.float32([0, 0, 40, 0, 0, 40])
>>> tree.refresh_all(boxes)
>>> tree.query(acre.box([0, 0, 40], [10, 1, 50]))
array([0, 1], dtype=uint32)
"""
from .contacts import Contacts
from .library import (AcreError, BusyError, CapacityError, ExistsError, InvalidArgumentError, NotFoundError,
                      OutOfMemoryError, __version__)
from .neighbors import Neighbors
from .shapes import (Shape, box, capsule, circle, cone, everything, frustum, ground_point, oriented_box,
                     point, ray, sphere)
from .tree import Hits, Tree

__all__ = ["AcreError", "BusyError", "CapacityError", "Contacts", "ExistsError", "Hits", "InvalidArgumentError",
           "Neighbors", "NotFoundError", "OutOfMemoryError", "Shape", "Tree", "__version__", "box", "capsule",
           "circle", "cone", "everything", "frustum", "ground_point", "oriented_box", "point", "ray", "sphere"]
