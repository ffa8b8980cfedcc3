# SPDX-License-Identifier: MIT
"""library.py - the C library through ctypes: its structs, its functions, its errors."""
from __future__ import annotations

import ctypes
import threading
from pathlib import Path

__version__ = "0.3.0"

size_t, uint32, pointer, single = ctypes.c_size_t, ctypes.c_uint32, ctypes.c_void_p, ctypes.c_float
float3 = single * 3


class TreeDef(ctypes.Structure):
    _fields_ = [("center", single * 2), ("half_size", single), ("max_depth", uint32),
                ("node_capacity", uint32), ("item_capacity", uint32), ("allocator", pointer),
                ("kernel", ctypes.c_int)]


class Box(ctypes.Structure):
    _fields_ = [("min", float3), ("max", float3)]


class Frustum(ctypes.Structure):
    _fields_ = [("planes", single * 4 * 16), ("plane_count", uint32)]


class Sphere(ctypes.Structure):
    _fields_ = [("center", float3), ("radius", single)]


class Circle(ctypes.Structure):
    _fields_ = [("center", single * 2), ("radius", single)]


class Capsule(ctypes.Structure):
    _fields_ = [("start", float3), ("end", float3), ("radius", single)]


class Cone(ctypes.Structure):
    _fields_ = [("apex", float3), ("direction", float3), ("length", single), ("angle", single)]


class OrientedBox(ctypes.Structure):
    _fields_ = [("center", float3), ("half_size", float3), ("axes", single * 3 * 3)]


class Ray(ctypes.Structure):
    _fields_ = [("origin", float3), ("direction", float3), ("length", single), ("half_size", float3)]


class BoxArray(ctypes.Structure):
    _fields_ = [("first", pointer), ("second", pointer), ("first_stride", size_t), ("second_stride", size_t),
                ("form", ctypes.c_int)]


class Query(ctypes.Structure):
    _fields_ = [("shape", ctypes.c_int), ("frustum", pointer), ("box", pointer), ("layers", uint32),
                ("flags", uint32), ("stats", pointer), ("point", pointer), ("sphere", pointer),
                ("circle", pointer), ("capsule", pointer), ("cone", pointer), ("oriented_box", pointer),
                ("ray", pointer), ("exclude", pointer), ("origin", pointer), ("max_distance", single),
                ("except_item1", uint32)]


class Report(ctypes.Structure):
    _fields_ = [("refused", size_t), ("first_row", size_t), ("first_result", ctypes.c_int)]


class NeighborsQuery(ctypes.Structure):
    _fields_ = [("count", size_t), ("items", pointer), ("spheres", pointer), ("radius", single),
                ("nearest", uint32), ("layers", uint32), ("flags", uint32), ("row_layers", pointer)]


class NeighborLists(ctypes.Structure):
    _fields_ = [("rows", pointer), ("items", pointer), ("capacity", size_t), ("total", size_t),
                ("refused", Report), ("distances", pointer)]


class PairsRules(ctypes.Structure):
    _fields_ = [("flags", uint32), ("meets", pointer)]


class ContactsLists(ctypes.Structure):
    _fields_ = [("now", pointer), ("began", pointer), ("ended", pointer), ("now_count", size_t),
                ("began_count", size_t), ("ended_count", size_t), ("bytes", size_t)]


class TreeStats(ctypes.Structure):
    _fields_ = ([(name, size_t) for name in ("items", "nodes", "leaves", "outliers", "bytes")]
                + [("depth", uint32)]
                + [(name, size_t) for name in ("bytes_nodes", "bytes_blocks", "bytes_locations",
                                               "bytes_layers")]
                + [(name, ctypes.c_uint64) for name in ("moves", "splits", "collapses", "grows", "shrinks",
                                                        "tightened")]
                + [("cell_size", single), ("root_min", single * 2), ("root_max", single * 2),
                   ("bounds", Box), ("lattices", ctypes.c_uint64), ("has_many_outliers", ctypes.c_bool),
                   ("bands", size_t), ("crowded", size_t), ("has_wide_cells", ctypes.c_bool)])


class Refusal(ctypes.Structure):
    _fields_ = [("result", ctypes.c_int), ("argument", ctypes.c_uint16), ("field", ctypes.c_uint16),
                ("axis", ctypes.c_uint8), ("rule", ctypes.c_uint8)]


class RefusedCall(ctypes.Structure):
    _fields_ = [("function", ctypes.c_char_p), ("argument", ctypes.c_char_p), ("text", ctypes.c_char_p),
                ("refused", size_t), ("first_row", size_t), ("first", Refusal)]


# ---- errors ----

class AcreError(Exception):
    """A call was refused. `row` is the first refused row of a batch, whose other rows were applied."""

    def __init__(self, text: str, row: int | None = None):
        super().__init__(text)
        self.row = row


class InvalidArgumentError(AcreError, ValueError):
    """NaN, an inverted box, a value out of range."""


class OutOfMemoryError(AcreError, MemoryError):
    """There is no memory."""


class CapacityError(AcreError):
    """An item at or above item_capacity, or more than a limit allows."""


class ExistsError(AcreError):
    """The item is in the tree already."""


class NotFoundError(AcreError, LookupError):
    """The item is not in the tree."""


class BusyError(AcreError):
    """Another call is using the tree."""


ERRORS = {1: InvalidArgumentError, 2: OutOfMemoryError, 3: CapacityError, 5: ExistsError, 6: NotFoundError,
          7: BusyError}
refused = threading.local()  # the last refused call of each thread


@ctypes.CFUNCTYPE(None, pointer, ctypes.POINTER(RefusedCall))
def keep_refusal(_user, call):
    told = call.contents
    refused.last = told.first.result, told.text.decode(), told.first_row


def check(result: int) -> None:
    """Raises what an acre_result means."""
    if result == 0:
        return
    last, refused.last = getattr(refused, "last", None), None
    error = ERRORS.get(result, AcreError)
    if last and last[0] == result:
        raise error(last[1], last[2])
    raise error(library.acre_result_text(result).decode())


# ---- functions ----

# Functions of a tree whose answer is an acre_result, and what they take behind it.
CALLS = {
    "insert_many_from": [pointer, pointer, size_t],
    "refresh_many_from": [pointer, pointer, size_t],
    "refresh_all_from": [pointer, size_t],
    "remove_many": [pointer, size_t],
    "maintain": [],
    "optimize": [],
    "tighten": [],
    "trim": [],
    "reserve": [size_t],
    "set_layers_many": [pointer, pointer, size_t],
    "query": [pointer, pointer, size_t, pointer],
    "query_nearest": [pointer, pointer, size_t, pointer],
    "neighbors": [pointer, pointer],
    "layers_within": [pointer, pointer],
    "pairs": [pointer, pointer, size_t, pointer],
    "pairs_between": [pointer, pointer, pointer, size_t, pointer],
    "item_pairs": [uint32, pointer, pointer, size_t, pointer],
}


def open_widest() -> ctypes.CDLL:
    """The library for the widest instruction set that the processor has."""
    folder = Path(__file__).parent
    base = ctypes.CDLL(str(folder / "_acre_base.so"))
    declare(base, "acre_python_instruction_set", ctypes.c_char_p, [])
    widest = folder / f"_acre_{base.acre_python_instruction_set().decode()}.so"
    return ctypes.CDLL(str(widest)) if widest.exists() else base


def load() -> ctypes.CDLL:
    loaded = open_widest()
    for name, arguments in CALLS.items():
        declare(loaded, "acre_quadtree_" + name, ctypes.c_int, [pointer, *arguments])
    declare(loaded, "acre_quadtree_create", ctypes.c_int, [pointer, pointer])
    declare(loaded, "acre_quadtree_destroy", None, [pointer])
    declare(loaded, "acre_quadtree_clear", None, [pointer])
    declare(loaded, "acre_quadtree_get_boxes", size_t, [pointer, pointer, size_t, pointer])
    declare(loaded, "acre_quadtree_contains", ctypes.c_bool, [pointer, uint32])
    declare(loaded, "acre_quadtree_get_stats", None, [pointer, pointer])
    declare(loaded, "acre_contacts_create", ctypes.c_int, [pointer, pointer])
    declare(loaded, "acre_contacts_destroy", None, [pointer])
    declare(loaded, "acre_contacts_update", ctypes.c_int, [pointer] * 4)
    declare(loaded, "acre_contacts_get", ContactsLists, [pointer])
    declare(loaded, "acre_python_cast_rays", ctypes.c_int, [pointer, pointer, pointer, size_t, pointer, pointer])
    declare(loaded, "acre_python_set_workers", ctypes.c_int, [pointer, uint32])
    declare(loaded, "acre_result_text", ctypes.c_char_p, [ctypes.c_int])
    declare(loaded, "acre_set_refusal_handler", None, [type(keep_refusal), pointer])
    loaded.acre_set_refusal_handler(keep_refusal, None)
    return loaded


def declare(loaded, name, answer, arguments):
    function = getattr(loaded, name)
    function.restype, function.argtypes = answer, arguments


library = load()
