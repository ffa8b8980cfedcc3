# SPDX-License-Identifier: MIT
"""tree.py - the tree: items and their boxes, and the questions about them."""
from __future__ import annotations

import ctypes
import operator
import sys
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import library as c
from .arrays import (address, boxes_of, check_count, items_of, masks_of, rows_of, rows_or_one, spheres_of,
                     vector_of)
from .library import check, library
from .neighbors import ROW, Neighbors
from .pairs import rules_of
from .shapes import Shape, everything

HIT = np.dtype([("item", np.uint32), ("distance", np.float32)])
SORTED, EXACT, EXCLUDE_TOUCHING, _, NOT_TOUCHING_QUERY = (1 << bit for bit in range(5))


class Hits(NamedTuple):
    """Items and how far they are."""
    items: NDArray[np.uint32]
    distances: NDArray[np.float32]


class Tree:
    """A loose quadtree over the x/z ground plane.

    Boxes, everywhere: (n, 6) min x y z, max x y z; a tuple of centers and half sizes, (n, 3) each (one half
    size, of three numbers or of one, holds for all); or points, (n, 3). float32 rows are read where they
    stand, at any distance from row to row; other types are converted first.

    A batch that holds bad rows applies the others and then raises; error.row is the first bad one.

    Threads: other threads run during a call. Questions may be asked side by side; an edit needs the tree
    for itself."""

    def __init__(self, half_size: float = 0.0, *, center: ArrayLike = (0, 0), item_capacity: int = 0,
                 max_depth: int = 0, node_capacity: int = 0, workers: int = 1):
        """half_size: half the side of the square where most items are expected, 0: 1024. workers: how many
        threads large calls are divided among. The rest as in acre/quadtree.h; 0: its default."""
        self.handle = c.pointer()
        self._room = {}  # of each kind of answer: what the last one took, and some more
        self._kept = {}  # its last two arrays: new memory costs more than a search for few
        settings = c.TreeDef((ctypes.c_float * 2)(*vector_of(center, 2, "center")), half_size, max_depth,
                             node_capacity, item_capacity)
        check(library.acre_quadtree_create(ctypes.byref(settings), ctypes.byref(self.handle)))
        self.set_workers(workers)

    def set_workers(self, count: int) -> None:
        """Divides large calls among so many threads, at most those of the machine. Answers are the same."""
        check(library.acre_python_set_workers(self.handle, count))

    def close(self) -> None:
        """Frees the tree; later calls raise."""
        if self.handle:
            library.acre_quadtree_destroy(self.handle)
            self.handle = c.pointer()

    def __repr__(self) -> str:
        return f"<acre.Tree: {len(self)} items>" if self.handle else "<acre.Tree: closed>"

    def __enter__(self) -> Tree:
        return self

    def __exit__(self, *_) -> None:
        self.close()

    def __del__(self):
        if getattr(self, "handle", None):
            self.close()

    def _call(self, name, *arguments):
        if not self.handle:
            raise c.InvalidArgumentError("the tree is closed")
        check(getattr(library, "acre_quadtree_" + name)(self.handle, *arguments))

    # ---- edits ----

    def insert(self, boxes, items: ArrayLike | None = None, layers: ArrayLike | None = None) -> None:
        """Adds items[i] with boxes[i]; without items, the numbers 0, 1, ... `layers`: a mask of 32 layers
        for each, or one for all."""
        self._edit("insert_many_from", boxes, items, layers)

    def refresh(self, boxes, items: ArrayLike) -> None:
        """Gives items[i] the box boxes[i]."""
        self._edit("refresh_many_from", boxes, items, None)

    def _edit(self, name, boxes, items, layers):
        struct, count, _alive = boxes_of(boxes)
        numbers = np.arange(count, dtype=np.uint32) if items is None else items_of(items)
        if count != len(numbers):
            raise ValueError(f"{len(numbers)} items and {count} boxes")
        self._call(name, address(numbers), ctypes.byref(struct), count)
        if layers is not None:
            self.set_layers(numbers, layers)

    def refresh_all(self, boxes) -> None:
        """Gives every item the box boxes[item]: the fastest way when half of them moved, or more.

        An item without a row stays as it was, and a row without an item is passed over."""
        struct, count, _alive = boxes_of(boxes)
        self._call("refresh_all_from", ctypes.byref(struct), count)

    def remove(self, items: ArrayLike) -> None:
        numbers = items_of(items)
        self._call("remove_many", address(numbers), len(numbers))

    def set_layers(self, items: ArrayLike, layers: ArrayLike) -> None:
        """Puts items[i] into the layers of the mask layers[i], or of one mask for all."""
        numbers = items_of(items)
        masks = masks_of(layers, len(numbers))
        self._call("set_layers_many", address(numbers), address(masks), len(numbers))

    def clear(self) -> None:
        """Removes every item and keeps the memory."""
        if self.handle:
            library.acre_quadtree_clear(self.handle)

    def maintain(self) -> None:
        """Call it once a frame."""
        self._call("maintain")

    def optimize(self) -> None:
        """Builds the tree anew: questions are fastest then."""
        self._call("optimize")

    def tighten(self) -> None:
        """Tight bounds for all cells."""
        self._call("tighten")

    def reserve(self, items: int) -> None:
        """Makes room for so many items."""
        self._call("reserve", items)

    def trim(self) -> None:
        """Gives back memory that is not needed."""
        self._call("trim")

    # ---- what is there ----

    def __len__(self) -> int:
        return self.stats()["items"]

    def __contains__(self, item: int) -> bool:
        number = operator.index(item)
        return 0 <= number < 2**32 and bool(library.acre_quadtree_contains(self.handle, number))

    def boxes(self, items: ArrayLike) -> NDArray[np.float32]:
        """The boxes of items, (n, 6); those of absent ones are NaN."""
        numbers = items_of(items)
        boxes = np.full((len(numbers), 6), np.nan, np.float32)
        library.acre_quadtree_get_boxes(self.handle, address(numbers), len(numbers), address(boxes))
        return boxes

    def stats(self) -> dict:
        """Items, cells, bytes, and what the tree has done; acre/quadtree.h says what each means."""
        struct = c.TreeStats()
        library.acre_quadtree_get_stats(self.handle, ctypes.byref(struct))
        numbers = {name: getattr(struct, name) for name, _kind in struct._fields_}
        numbers["bounds"] = np.float32([*struct.bounds.min, *struct.bounds.max])
        return {name: tuple(value) if name.startswith("root_") else value for name, value in numbers.items()}

    # ---- queries ----

    def query(self, shape: Shape, *, layers: int = 0, exact: bool = False, not_touching: bool = False,
              ordered: bool = False, exclude: Shape | None = None, exclude_touching: bool = False,
              except_item: int | None = None) -> NDArray[np.uint32]:
        """The items whose boxes touch a shape.

        layers: only items that share a bit; 0: all. exact: of a frustum or an oriented box, drops what
        separating axes prove outside. not_touching: of a box or point, touching does not count. ordered:
        by number. exclude: a frustum; items wholly in it are left out, with exclude_touching all that
        touch it. except_item: one item is left out."""
        if not isinstance(shape, Shape):
            raise TypeError(f"query takes a shape such as acre.sphere(center, radius), not {type(shape).__name__};"
                            " neighbors(points=, nearest=) finds the nearest of many points")
        query = shape.query()
        query.layers = layers
        query.flags = (SORTED * ordered | EXACT * exact | NOT_TOUCHING_QUERY * not_touching
                       | EXCLUDE_TOUCHING * exclude_touching)
        if exclude is not None:
            query.exclude = exclude.query().frustum
        if except_item is not None:
            query.except_item1 = except_item + 1
        return self._array("query", np.uint32, ctypes.byref(query))

    def nearest(self, count: int, origin: ArrayLike | None = None, shape: Shape | None = None, *,
                max_distance: float = 0.0, layers: int = 0) -> Hits:
        """The `count` nearest items, the nearest first, of those that touch a shape.

        origin: a point, or a box of six numbers; a ray needs none, its hits come along the ray.
        max_distance: nothing farther; 0: no limit."""
        if count < 0:
            raise ValueError(f"count is {count}")
        query = (shape or everything()).query()
        if origin is None and not query.ray:
            raise c.InvalidArgumentError("nearest takes an origin, or a ray as the shape")
        query.layers, query.max_distance = layers, max_distance
        if origin is not None:
            corners = np.asarray(origin, np.float32).ravel()
            corners = vector_of(np.tile(corners, 2) if corners.size == 3 else corners, 6, "origin")
            query.origin = corners.ctypes.data
        hits, found = np.empty(count, HIT), c.size_t()
        if count:
            self._call("query_nearest", ctypes.byref(query), address(hits), count, ctypes.byref(found))
        return Hits(hits["item"][:found.value], hits["distance"][:found.value])

    def cast_rays(self, origins: ArrayLike, directions: ArrayLike, lengths: ArrayLike = np.inf, *,
                  half_size: ArrayLike = (0, 0, 0), layers: int = 0) -> Hits:
        """The first hit of each ray. A ray that hits nothing has the item 2**32 - 1 and an infinite
        distance. half_size: of a box that moves along each ray. One direction, or one length, holds
        for all rays."""
        starts, ways = rows_of(origins, 3, "origins"), rows_or_one(directions, "directions")
        count = len(starts) if len(ways) == 1 else len(ways)
        if len(starts) not in (count, 1):
            raise ValueError(f"{len(starts)} origins and {len(ways)} directions")
        check_count(lengths, count, "lengths", "rays")
        rays = np.empty((count, 10), np.float32)
        rays[:, 0:3], rays[:, 3:6], rays[:, 6], rays[:, 7:10] = starts, ways, lengths, half_size
        query, hits, row = c.Query(layers=layers), np.empty(count, HIT), c.size_t()
        result = library.acre_python_cast_rays(self.handle, ctypes.byref(query), address(rays), count,
                                               address(hits), ctypes.byref(row))
        if result:
            try:
                check(result)
            except c.AcreError as error:
                raise type(error)(f"row {row.value}: {error}", row.value) from None
        return Hits(hits["item"], hits["distance"])

    # ---- neighbors ----

    def neighbors(self, radius: ArrayLike = np.inf, *, items: ArrayLike | None = None,
                  points: ArrayLike | None = None, nearest: int = 0, layers: int = 0,
                  row_layers: ArrayLike | None = None, on_ground: bool = False,
                  distances: bool = False) -> Neighbors:
        """The items within `radius` of many rows.

        A row is one of `items`, one of `points` (n, 3), or, without both, item 0, 1, ... to the largest in
        the tree; rows of absent items are empty. An item is not its own neighbor. radius: one number, or
        with points one for each. nearest: at most so many of each, the nearest first. layers: only items
        that share a bit; row_layers: a mask for each row. on_ground: y is ignored. distances: from the
        row's center to the neighbor's box."""
        query, alive, count = self._rows(radius, items, points, layers, row_layers, on_ground)
        query.nearest = nearest
        rows = self._empty("rows", count, ROW)
        room = self._room.get("neighbors", 16 * count)
        while True:
            found = self._empty("neighbors", room, np.uint32)
            far = self._empty("distances", room, np.float32) if distances else None
            lists = c.NeighborLists(rows=address(rows), items=address(found), capacity=room,
                                    distances=address(far))
            self._call_rows("neighbors", query, ctypes.byref(lists), alive)
            total = lists.total
            if total <= room:
                break
            room = total + total // 8
        del alive
        self._room["neighbors"] = max(room if total > room // 4 else total * 2, 16)
        return Neighbors(rows, found[:total], None if far is None else far[:total])

    def _empty(self, name, room, kind):
        """An array; the memory of an earlier answer that nobody has any more, if there is one."""
        kept = self._kept.setdefault(name, [])
        for array in kept:
            # The list, this loop and the question itself refer to it; a view of it would, too.
            if len(array) >= room and sys.getrefcount(array) == 3:
                return array[:room]
        kept.append(np.empty(room, kind))
        del kept[:-2]
        return kept[-1][:room]

    def layers_within(self, radius: ArrayLike = np.inf, *, items: ArrayLike | None = None,
                      points: ArrayLike | None = None, layers: int = 0, row_layers: ArrayLike | None = None,
                      on_ground: bool = False) -> NDArray[np.uint32]:
        """For each row, as in neighbors, the mask of the layers that are within reach."""
        query, alive, count = self._rows(radius, items, points, layers, row_layers, on_ground)
        masks = np.empty(count, np.uint32)
        self._call_rows("layers_within", query, address(masks), alive)
        del alive
        return masks

    def _rows(self, radius, items, points, layers, row_layers, on_ground):
        """The query of many rows, what must live as long as it does, and how many rows there are."""
        numbers = None if items is None else items_of(items)
        spheres = None if points is None else spheres_of(points, radius)
        if spheres is None and np.ndim(radius):
            raise ValueError("radius is one number, but for points")
        if spheres is not None:
            count = len(spheres)
            if numbers is not None and len(numbers) != count:
                raise ValueError(f"{len(numbers)} items and {count} points")
        else:
            count = self._rows_of_all() if numbers is None else len(numbers)
        masks = None if row_layers is None else masks_of(row_layers, count, "row_layers")
        query = c.NeighborsQuery(count=count, items=address(numbers), spheres=address(spheres),
                                 radius=0.0 if spheres is not None else radius, layers=layers,
                                 flags=int(on_ground), row_layers=address(masks))
        return query, (numbers, spheres, masks), count

    def _call_rows(self, name, query, answers, alive):
        """Asks a query of many rows; an error names the first bad row."""
        numbers, spheres, _masks = alive
        try:
            self._call(name, ctypes.byref(query), answers)
        except c.NotFoundError:
            row = next(row for row, item in enumerate(numbers) if item not in self)
            raise c.NotFoundError(f"items[{row}] is not there (item {numbers[row]})", row) from None
        except c.InvalidArgumentError:
            if spheres is None and not query.radius >= 0:
                raise c.InvalidArgumentError(f"radius is {query.radius}; the range is 0 or more") from None
            good = spheres is None or np.isfinite(spheres[:, :3]).all(1) & (spheres[:, 3] >= 0)
            if np.all(good):
                raise
            row = int(np.argmin(good))
            raise c.InvalidArgumentError(f"points[{row}] is {spheres[row, :3]} with the radius {spheres[row, 3]}",
                                         row) from None

    def _rows_of_all(self):
        """One more than the largest item."""
        items = self.query(everything())
        return int(items.max()) + 1 if items.size else 0

    def query_ball_point(self, points: ArrayLike, radius: ArrayLike, *,
                         return_length: bool = False):
        """As scipy.spatial.KDTree.query_ball_point: for each point an array of the items within radius,
        in an array of objects; for one point, its array; with return_length, only how many.

        The items of a point stand in no order. neighbors(radius, points=points) is faster: it makes no
        object of each row."""
        places = np.asarray(points, np.float32)
        found = self.neighbors(radius, points=np.atleast_2d(places))
        if return_length:
            return found.counts if places.ndim == 2 else int(found.counts[0])
        lists = np.empty(len(found), object)
        items, begins = found.items, found.first.tolist()
        for row, (begin, count) in enumerate(zip(begins, found.counts.tolist())):
            lists[row] = items[begin:begin + count]
        return lists if places.ndim == 2 else lists[0]

    def query_pairs(self, radius: float) -> NDArray[np.uint32]:
        """As scipy.spatial.KDTree.query_pairs with output_type 'ndarray': (n, 2), the items i < j where
        j's box is within radius of the middle of i's. For points, all pairs that near, in no order."""
        found = self.neighbors(radius)
        order = found._order
        first = np.repeat(order, found.counts[order]) # of each neighbor, whose it is
        keep = np.flatnonzero(first < found.items)
        pairs = np.empty((len(keep), 2), np.uint32)
        pairs[:, 0], pairs[:, 1] = first[keep], found.items[keep]
        return pairs

    # ---- pairs ----

    def pairs(self, *, on_ground: bool = False, not_touching: bool = False,
              meets: ArrayLike | None = None) -> NDArray[np.uint32]:
        """The pairs of items whose boxes overlap, (n, 2). meets: 32 masks, which layers meet which."""
        rules, _alive = rules_of(on_ground, not_touching, meets)
        return self._array("pairs", np.dtype((np.uint32, 2)), ctypes.byref(rules))

    def pairs_between(self, other: Tree, *, on_ground: bool = False, not_touching: bool = False,
                      meets: ArrayLike | None = None) -> NDArray[np.uint32]:
        """The pairs of an item of this tree and one of another, (n, 2)."""
        if other is self:
            raise c.InvalidArgumentError("other is this tree itself; pairs() finds what overlaps in one tree")
        rules, _alive = rules_of(on_ground, not_touching, meets)
        return self._array("pairs_between", np.dtype((np.uint32, 2)), other.handle, ctypes.byref(rules))

    def pairs_of(self, item: int, *, on_ground: bool = False, not_touching: bool = False,
                 meets: ArrayLike | None = None) -> NDArray[np.uint32]:
        """The items that make a pair with one."""
        rules, _alive = rules_of(on_ground, not_touching, meets)
        return self._array("item_pairs", np.uint32, item, ctypes.byref(rules))

    def _array(self, name, kind, *arguments):
        """Calls until there is room for all that it finds."""
        room, total = self._room.get(name, 1024), c.size_t()
        while True:
            found = np.empty(room, kind)
            self._call(name, *arguments, address(found), room, ctypes.byref(total))
            if total.value <= room:
                self._room[name] = max(room if total.value > room // 4 else room // 2, 1024)
                return found[:total.value]
            room = total.value + total.value // 4
