# SPDX-License-Identifier: MIT
"""test_acre_tree.py - the Python example finds what numpy finds by looking at every box.

    ACRE_LIBRARY=libacre.so python3 test_acre_tree.py
"""
import gc
import sys
import unittest
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools/examples/python"))
import acre_tree  # noqa: E402

COUNT = 5000
INVALID, CAPACITY, EXISTS, NOT_FOUND = 1, 3, 5, 6


def random_boxes(random, count=COUNT):
    low = random.uniform(-500, 500, (count, 3)).astype(np.float32)
    return np.hstack([low, low + random.uniform(0, 9, (count, 3)).astype(np.float32)])


def random_planes(random):
    planes = random.uniform(-1, 1, (random.integers(0, 7), 4)).astype(np.float32)
    planes[:, 3] = random.uniform(0, 300, len(planes))
    return planes


def visible_of(boxes, planes):
    """acre_frustum_test_aabb, in its order of operations."""
    visible = np.ones(len(boxes), bool)
    for x, y, z, d in planes:
        corner = [boxes[:, k + 3 * (n >= 0)] for k, n in enumerate((x, y, z))]
        distance = ((x * corner[0] + y * corner[1]) + z * corner[2]) + d
        visible &= ~(distance < 0)
    return np.flatnonzero(visible)


def touching(boxes, box):
    return np.flatnonzero(np.all((boxes[:, :3] <= box[3:]) & (boxes[:, 3:] >= box[:3]), axis=1))


class TreeTest(unittest.TestCase):
    def setUp(self):
        self.random = np.random.default_rng(29)
        self.tree = acre_tree.Quadtree(half_size=512)

    def tearDown(self):
        self.tree.close()

    def equals(self, found, expected):
        self.assertEqual(found.dtype, np.uint32)
        np.testing.assert_array_equal(np.sort(found), expected)

    def refused(self, result, call, *arguments):
        with self.assertRaises(acre_tree.AcreError) as caught:
            call(*arguments)
        self.assertEqual(caught.exception.result, result)
        return str(caught.exception)

    def test_queries_find_what_numpy_finds(self):
        boxes = random_boxes(self.random)
        self.tree.insert(np.arange(COUNT), boxes)
        for _ in range(30):
            moved = self.random.integers(0, COUNT, 200)
            boxes[moved] = random_boxes(self.random, 200)
            self.tree.refresh_all(boxes)
            self.tree.maintain()
            planes = random_planes(self.random)
            self.equals(self.tree.query_frustum(planes), visible_of(boxes, planes))
            box = random_boxes(self.random, 1)[0] + np.float32([-50, -50, -50, 50, 50, 50])
            self.equals(self.tree.query_box(box), touching(boxes, box))

    def test_spans_hold_the_same_items_and_cannot_be_written(self):
        boxes = random_boxes(self.random)
        self.tree.insert(np.arange(COUNT), boxes)
        own = 0
        for _ in range(20):
            planes = random_planes(self.random)
            spans = self.tree.query_spans(planes)
            found = np.concatenate([np.empty(0, np.uint32), *spans])
            self.equals(found, visible_of(boxes, planes))
            self.assertFalse(any(span.flags.writeable for span in spans))
            places = {span.ctypes.data for span in self.tree.query_spans(planes)}
            own += sum(len(span) for span in spans if span.ctypes.data in places)
        self.assertGreater(own, COUNT)

    def test_boxes_are_read_where_they_stand(self):
        boxes = random_boxes(self.random)
        records = np.full((2 * COUNT, 9), np.nan, np.float32)
        view = records[::2, 2:8]  # every second row, six columns of nine
        view[:] = boxes
        self.assertIs(acre_tree.box_array(view)[2].base, records)
        self.tree.insert(np.arange(COUNT), view)
        planes = random_planes(self.random)
        self.equals(self.tree.query_frustum(planes), visible_of(boxes, planes))

    def test_other_types_and_orders_are_converted(self):
        boxes = random_boxes(self.random)
        self.tree.insert(list(range(COUNT)), boxes.astype(np.float64))
        self.tree.refresh_all(np.asfortranarray(boxes))
        self.tree.refresh(np.arange(COUNT)[::-1], boxes[::-1])
        planes = random_planes(self.random)
        self.equals(self.tree.query_frustum(planes), visible_of(boxes, planes))

    def test_centers_and_half_sizes_are_boxes(self):
        half_sizes = self.random.integers(1, 9, (COUNT, 3)).astype(np.float32)
        centers = self.random.integers(-500, 500, (COUNT, 3)).astype(np.float32)
        boxes = np.hstack([centers - half_sizes, centers + half_sizes])
        self.tree.insert(np.arange(COUNT), (centers, half_sizes))
        planes = random_planes(self.random)
        self.equals(self.tree.query_frustum(planes), visible_of(boxes, planes))

    def test_removed_items_are_not_found(self):
        boxes = random_boxes(self.random)
        self.tree.insert(np.arange(COUNT), boxes)
        self.tree.remove(np.arange(0, COUNT, 2))
        self.equals(self.tree.query_frustum([[0, 0, 0, 1]]), np.arange(1, COUNT, 2))

    def test_the_nearest_come_first(self):
        boxes = random_boxes(self.random)
        self.tree.insert(np.arange(COUNT), boxes)
        hits = self.tree.query_nearest([10, 20, 30], 7)
        point = np.float32([10, 20, 30])
        gaps = np.maximum(np.maximum(boxes[:, :3] - point, point - boxes[:, 3:]), 0)
        distances = np.sqrt((gaps.astype(float) ** 2).sum(axis=1))
        np.testing.assert_allclose(hits["distance"], np.sort(distances)[:7], rtol=1e-6)
        self.assertEqual(set(hits["item"]), set(np.argsort(distances)[:7]))

    def test_errors_are_exceptions_with_a_text(self):
        boxes = random_boxes(self.random, 4)
        self.tree.insert(np.arange(4), boxes)
        self.assertEqual(self.refused(NOT_FOUND, self.tree.remove, [9]),
                         "acre_quadtree_remove_many: items[0] is not there (item 9)")
        self.refused(EXISTS, self.tree.insert, [3], boxes[:1])
        boxes[2, 0] = np.nan
        text = self.refused(INVALID, self.tree.refresh, np.arange(4), boxes)
        self.assertEqual(text, "acre_quadtree_refresh_many_from: boxes[2].min[0] is NaN (item 2)")
        boxes[3, 0] = np.nan
        text = self.refused(INVALID, self.tree.refresh, np.arange(4), boxes)
        self.assertTrue(text.endswith("boxes[2].min[0] is NaN (item 2), 2 rows refused"), text)
        self.refused(INVALID, acre_tree.Quadtree, -1.0)
        with self.assertRaises(ValueError):
            self.tree.insert(np.arange(3), boxes)  # a row too many
        with self.assertRaises(ValueError):
            self.tree.insert([-1], boxes[:1])
        with self.assertRaises(ValueError):
            self.tree.query_frustum(np.zeros((17, 4)))
        with self.assertRaises(ValueError):
            self.tree.refresh_all(np.zeros((4, 5)))

    def test_a_closed_tree_raises(self):
        self.tree.close()
        self.refused(INVALID, self.tree.maintain)
        self.refused(INVALID, self.tree.query_frustum, [[0, 0, 0, 1]])
        self.tree.close()

    def test_spans_keep_their_tree(self):
        tree = acre_tree.Quadtree()
        tree.insert(np.arange(COUNT), random_boxes(self.random))
        spans = tree.query_spans([[0, 0, 0, 1]])
        del tree
        gc.collect()
        self.assertEqual(np.unique(np.concatenate(spans)).size, COUNT)
        longest = max(spans, key=len)
        copy = longest.copy()
        del spans
        gc.collect()
        np.testing.assert_array_equal(longest, copy)

    def test_a_library_of_another_version_is_refused(self):
        version, acre_tree.VERSION = acre_tree.VERSION, (99, 0)
        try:
            self.assertRaises(OSError, acre_tree.load)
        finally:
            acre_tree.VERSION = version


if __name__ == "__main__":
    unittest.main()
