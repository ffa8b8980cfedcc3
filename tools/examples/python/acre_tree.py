# SPDX-License-Identifier: MIT
"""acre_tree.py - Acre's quadtree for numpy: arrays of boxes in, arrays of item numbers out.

Loads the shared library (a build with -DBUILD_SHARED_LIBS=ON) through ctypes; needs no compiler.

    tree = Quadtree(half_size=1000)
    tree.insert(items, boxes)          # uint32 (n,), float32 (n, 6): min x y z, max x y z
    tree.refresh_all(boxes)            # boxes[item] is the new box of each item
    visible = tree.query_frustum(planes)

Copies. float32 boxes are read where they stand, with any distance from row to row: columns of a wider
array, or every second row. Other types are converted first. A query writes into the array that it
returns. query_spans copies only what it must: most of its arrays are the tree's own memory.

Errors are exceptions that say what is wrong: "acre_quadtree_refresh_many_from: boxes[3].min[1] is NaN
(item 7)". A batch that holds bad rows applies the others and then raises.

Threads. ctypes lets other threads run during a call. Queries may run side by side; an edit needs the
tree for itself.
"""
import ctypes
import ctypes.util
import os
import threading

import numpy as np

VERSION = (0, 3)  # of the structs below
SHAPE_FRUSTUM, SHAPE_AABB, SHAPE_ALL = 1, 2, 3
FORM_MIN_MAX, FORM_CENTER_EXTENT = 0, 1

size_t, uint32, pointer = ctypes.c_size_t, ctypes.c_uint32, ctypes.c_void_p


class Def(ctypes.Structure):
    _fields_ = [("center", ctypes.c_float * 2), ("half_size", ctypes.c_float), ("max_depth", uint32),
                ("node_capacity", uint32), ("item_capacity", uint32), ("allocator", pointer),
                ("kernel", ctypes.c_int)]


class Frustum(ctypes.Structure):
    _fields_ = [("planes", ctypes.c_float * 4 * 16), ("plane_count", uint32)]


class Box(ctypes.Structure):
    _fields_ = [("min", ctypes.c_float * 3), ("max", ctypes.c_float * 3)]


class BoxArray(ctypes.Structure):
    _fields_ = [("first", pointer), ("second", pointer), ("first_stride", size_t),
                ("second_stride", size_t), ("form", ctypes.c_int)]


class Query(ctypes.Structure):
    _fields_ = [("shape", ctypes.c_int), ("frustum", ctypes.POINTER(Frustum)),
                ("box", ctypes.POINTER(Box)), ("layers", uint32), ("flags", uint32)]
    _fields_ += [(name, pointer) for name in ("stats", "point", "sphere", "circle", "capsule", "cone",
                                              "oriented_box", "ray", "exclude")]
    _fields_ += [("origin", ctypes.POINTER(Box)), ("max_distance", ctypes.c_float),
                 ("except_item1", uint32)]


class Refusal(ctypes.Structure):
    _fields_ = [("result", ctypes.c_int), ("argument", ctypes.c_uint16), ("field", ctypes.c_uint16),
                ("axis", ctypes.c_uint8), ("rule", ctypes.c_uint8)]


class RefusedCall(ctypes.Structure):
    _fields_ = [("function", ctypes.c_char_p), ("argument", ctypes.c_char_p), ("text", ctypes.c_char_p),
                ("refused", size_t), ("first_row", size_t), ("first", Refusal)]


class Span(ctypes.Structure):
    _fields_ = [("items", ctypes.POINTER(uint32)), ("count", size_t)]


class SpanTotals(ctypes.Structure):
    _fields_ = [("items", size_t), ("copied", size_t), ("spans", size_t)]


HIT = np.dtype([("item", np.uint32), ("distance", np.float32)])

# The C functions whose answer is an acre_result, and what they take.
CALLS = {
    "create": [ctypes.POINTER(Def), ctypes.POINTER(pointer)],
    "insert_many_from": [pointer, pointer, ctypes.POINTER(BoxArray), size_t],
    "refresh_many_from": [pointer, pointer, ctypes.POINTER(BoxArray), size_t],
    "refresh_all_from": [pointer, ctypes.POINTER(BoxArray), size_t],
    "remove_many": [pointer, pointer, size_t],
    "maintain": [pointer],
    "optimize": [pointer],
    "query": [pointer, ctypes.POINTER(Query), pointer, size_t, ctypes.POINTER(size_t)],
    "query_spans": [pointer, ctypes.POINTER(Query), pointer, size_t, pointer, size_t,
                    ctypes.POINTER(SpanTotals)],
    "query_nearest": [pointer, ctypes.POINTER(Query), pointer, size_t, ctypes.POINTER(size_t)],
}


class AcreError(Exception):
    """A call of Acre failed; result is the acre_result, row the first refused one of a batch."""

    def __init__(self, result, text, row=None):
        super().__init__(text)
        self.result = result
        self.row = row


refused = threading.local()  # result, text and row of the last refused call of each thread


@ctypes.CFUNCTYPE(None, pointer, ctypes.POINTER(RefusedCall))
def keep_refusal(_user, call):
    told = call.contents
    refused.last = told.first.result, told.text.decode(), told.first_row


def load(path=None):
    """The library: a path, $ACRE_LIBRARY, or the one that is installed."""
    path = path or os.environ.get("ACRE_LIBRARY") or ctypes.util.find_library("acre")
    if not path:
        raise OSError("libacre is not installed; set ACRE_LIBRARY to the path of libacre.so")
    library = ctypes.CDLL(path)
    library.acre_version.restype = uint32
    version = library.acre_version()
    if (version >> 16, version >> 8 & 0xFF) != VERSION:
        raise OSError(f"{path} is Acre {version >> 16}.{version >> 8 & 0xFF}, not "
                      f"{VERSION[0]}.{VERSION[1]}")
    for name, arguments in CALLS.items():
        function = getattr(library, "acre_quadtree_" + name)
        function.restype, function.argtypes = ctypes.c_int, arguments
    library.acre_quadtree_destroy.restype = None
    library.acre_quadtree_destroy.argtypes = [pointer]
    library.acre_result_text.restype = ctypes.c_char_p
    library.acre_set_refusal_handler.restype = None
    library.acre_set_refusal_handler(keep_refusal, None)  # of the whole process
    return library


def rows_of(array, width):
    """The array as float32 rows whose numbers stand side by side; the same memory if it can be."""
    rows = np.asarray(array, np.float32)
    if rows.ndim != 2 or rows.shape[1] != width:
        raise ValueError(f"expected an array of shape (n, {width}), not {rows.shape}")
    if rows.strides[1] != 4 or rows.strides[0] <= 0:
        rows = np.ascontiguousarray(rows)
    return rows


def box_array(boxes):
    """(n, 6) min and max, or a pair of (n, 3): centers and half sizes.

    Returns the struct, the number of rows, and the arrays that must live as long as the struct."""
    if isinstance(boxes, tuple):
        first, second = (rows_of(part, 3) for part in boxes)
        if len(first) != len(second):
            raise ValueError(f"{len(first)} centers and {len(second)} half sizes")
        struct = BoxArray(first.ctypes.data, second.ctypes.data, first.strides[0],
                          second.strides[0], FORM_CENTER_EXTENT)
        return struct, len(first), (first, second)
    rows = rows_of(boxes, 6)
    struct = BoxArray(rows.ctypes.data, rows.ctypes.data + 12, rows.strides[0], rows.strides[0],
                      FORM_MIN_MAX)
    return struct, len(rows), rows


def item_array(items):
    items = np.asarray(items)
    if items.ndim != 1 or not np.issubdtype(items.dtype, np.integer):
        raise ValueError("expected a one-dimensional array of item numbers")
    if items.dtype != np.uint32 and items.size and not 0 <= items.min() <= items.max() < 2**32:
        raise ValueError("item numbers are 0 to 2**32 - 1")
    return np.ascontiguousarray(items, np.uint32)


def frustum_of(planes):
    """Up to 16 rows nx, ny, nz, d; a point p is inside where n.p + d >= 0."""
    rows = np.ascontiguousarray(rows_of(planes, 4))
    if len(rows) > 16:
        raise ValueError(f"{len(rows)} planes; a frustum has at most 16")
    frustum = Frustum(plane_count=len(rows))
    ctypes.memmove(frustum.planes, rows.ctypes.data, rows.nbytes)
    return frustum


def box_of(box):
    numbers = np.asarray(box, np.float32).ravel()
    if numbers.size != 6:
        raise ValueError("a box is six numbers: min x y z, max x y z")
    return Box(tuple(numbers[:3]), tuple(numbers[3:]))


class Quadtree:
    """Items are numbers, small and dense, best used as rows of your arrays."""

    def __init__(self, half_size=0.0, item_capacity=0, library=None):
        self._tree = pointer()
        self._room = 1024  # of the next query
        self._library = library or load()
        settings = Def(half_size=half_size, item_capacity=item_capacity)
        self._check(self._library.acre_quadtree_create(settings, self._tree))

    def close(self):
        """Frees the tree; later calls raise."""
        if self._tree:
            self._library.acre_quadtree_destroy(self._tree)
            self._tree = pointer()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __del__(self):
        if getattr(self, "_tree", None):
            self.close()

    def _check(self, result):
        if result == 0:
            return
        last, refused.last = getattr(refused, "last", None), None
        if last and last[0] == result:
            raise AcreError(*last)
        raise AcreError(result, self._library.acre_result_text(result).decode())

    def insert(self, items, boxes):
        """Adds items[i] with boxes[i]."""
        self._edit("insert_many_from", items, boxes)

    def refresh(self, items, boxes):
        """Gives items[i] the box boxes[i]."""
        self._edit("refresh_many_from", items, boxes)

    def _edit(self, name, items, boxes):
        numbers = item_array(items)
        struct, count, _alive = box_array(boxes)
        if count != len(numbers):
            raise ValueError(f"{len(numbers)} items and {count} boxes")
        call = getattr(self._library, "acre_quadtree_" + name)
        self._check(call(self._tree, numbers.ctypes.data, struct, count))

    def refresh_all(self, boxes):
        """Gives every item the box boxes[item]."""
        struct, count, _alive = box_array(boxes)
        self._check(self._library.acre_quadtree_refresh_all_from(self._tree, struct, count))

    def remove(self, items):
        numbers = item_array(items)
        call = self._library.acre_quadtree_remove_many
        self._check(call(self._tree, numbers.ctypes.data, len(numbers)))

    def maintain(self):
        """Call it once a frame."""
        self._check(self._library.acre_quadtree_maintain(self._tree))

    def optimize(self):
        """Makes queries faster, after loading."""
        self._check(self._library.acre_quadtree_optimize(self._tree))

    def query_frustum(self, planes):
        """The items that touch a convex volume."""
        return self._items(Query(shape=SHAPE_FRUSTUM, frustum=ctypes.pointer(frustum_of(planes))))

    def query_box(self, box):
        """The items whose boxes touch a box."""
        return self._items(Query(shape=SHAPE_AABB, box=ctypes.pointer(box_of(box))))

    def _items(self, query):
        total = size_t()
        while True:
            items = np.empty(self._room, np.uint32)
            self._check(self._library.acre_quadtree_query(self._tree, query, items.ctypes.data,
                                                          len(items), total))
            if total.value <= len(items):
                return items[:total.value]
            self._room = total.value + total.value // 4

    def query_spans(self, planes):
        """A list of arrays that together hold query_frustum's items, valid until the next edit or close.

        Cells that are wholly inside are the tree's own memory; they cannot be written to."""
        query = Query(shape=SHAPE_FRUSTUM, frustum=ctypes.pointer(frustum_of(planes)))
        spans, items, totals = (Span * 0)(), np.empty(0, np.uint32), SpanTotals()
        while True:
            self._check(self._library.acre_quadtree_query_spans(
                self._tree, query, spans, len(spans), items.ctypes.data, len(items), totals))
            if totals.spans <= len(spans) and totals.copied <= len(items):
                break
            spans, items = (Span * totals.spans)(), np.empty(totals.copied, np.uint32)
        return [self._view(span, items) for span in spans[:totals.spans]]

    def _view(self, span, copies):
        """A span as an array that keeps alive what it looks at."""
        memory = (uint32 * span.count).from_address(ctypes.addressof(span.items.contents))
        memory.alive = (self, copies)
        array = np.frombuffer(memory, np.uint32)
        array.flags.writeable = False
        return array

    def query_nearest(self, point, count):
        """The nearest items to a point, nearest first: an array of item and distance."""
        origin = box_of(np.tile(np.asarray(point, np.float32), 2))
        query = Query(shape=SHAPE_ALL, origin=ctypes.pointer(origin))
        hits, found = np.empty(count, HIT), size_t()
        self._check(self._library.acre_quadtree_query_nearest(self._tree, query, hits.ctypes.data,
                                                              count, found))
        return hits[:found.value]
