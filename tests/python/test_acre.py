# SPDX-License-Identifier: MIT
"""test_acre.py - the Python package finds what numpy finds by looking at every box.

The package must be installed, or on PYTHONPATH with its libraries built."""
import doctest
import unittest

import acre
import acre.arrays
import acre.contacts
import numpy as np

COUNT = 3000


def random_boxes(random, count=COUNT, size=9):
    low = random.uniform(-500, 500, (count, 3)).astype(np.float32)
    return np.hstack([low, low + random.uniform(0, size, (count, 3)).astype(np.float32)])


def distances_to(boxes, place):
    """From a point, or a box of six numbers, to each box."""
    low, high = np.float64(place[:3]), np.float64(place[-3:])
    gaps = np.maximum(np.maximum(boxes[:, :3] - high, low - boxes[:, 3:]), 0)
    return np.sqrt((gaps**2).sum(axis=1))


def touching(boxes, low, high):
    return np.flatnonzero(np.all((boxes[:, :3] <= high) & (boxes[:, 3:] >= low), axis=1))


def pairs_of(first, second):
    """All that overlap, by looking at each pair."""
    meets = np.ones((len(first), len(second)), bool)
    for axis in range(3):
        meets &= first[:, None, axis] <= second[None, :, axis + 3]
        meets &= first[:, None, axis + 3] >= second[None, :, axis]
    return meets


class TreeTest(unittest.TestCase):
    def setUp(self):
        self.random = np.random.default_rng(29)
        self.boxes = random_boxes(self.random)
        self.tree = acre.Tree(half_size=512)

    def tearDown(self):
        self.tree.close()

    def equals(self, found, expected):
        self.assertEqual(found.dtype, np.uint32)
        np.testing.assert_array_equal(np.sort(found), expected)

    def test_examples_in_the_documentation(self):
        for module in (acre, acre.contacts):
            failed, tried = doctest.testmod(module)
            self.assertEqual(failed, 0)
            self.assertGreater(tried, 4)

    def test_boxes_and_frusta_are_found_while_boxes_move(self):
        self.tree.insert(self.boxes)
        for _ in range(20):
            moved = self.random.integers(0, COUNT, 200)
            self.boxes[moved] = random_boxes(self.random, 200)
            self.tree.refresh_all(self.boxes)
            self.tree.maintain()
            low = self.random.uniform(-500, 400, 3).astype(np.float32)
            high = low + np.float32([90, 200, 90])
            self.equals(self.tree.query(acre.box(low, high)), touching(self.boxes, low, high))
            planes = np.float32([[1, 0, 0, -low[0]], [-1, 0, 0, high[0]], [0, 0, 1, -low[2]], [0, 0, -1, high[2]]])
            everywhere = np.float32([np.inf, np.inf, np.inf])
            on_ground = touching(self.boxes, np.where([1, 0, 1], low, -everywhere),
                                 np.where([1, 0, 1], high, everywhere))
            self.equals(self.tree.query(acre.frustum(planes)), on_ground)

    def test_round_shapes_points_and_rays(self):
        self.tree.insert(self.boxes)
        place = np.float32([10, 20, 30])
        flat = self.boxes.copy()
        flat[:, [1, 4]] = 20
        sphere = self.tree.query(acre.sphere(place, 80), ordered=True)
        np.testing.assert_array_equal(sphere, np.flatnonzero(distances_to(self.boxes, place) <= 80))
        self.equals(self.tree.query(acre.circle(place[[0, 2]], 80)),
                    np.flatnonzero(distances_to(flat, place) <= 80))
        self.equals(self.tree.query(acre.capsule(place, place, 80)), sphere)
        inside = self.boxes[7, :3] + np.float32([0.1, 0.1, 0.1])
        self.assertIn(7, self.tree.query(acre.point(inside)))
        self.assertIn(7, self.tree.query(acre.ground_point(inside[[0, 2]])))
        self.equals(self.tree.query(acre.oriented_box(place, [50, 60, 70], np.eye(3))),
                    touching(self.boxes, place - np.float32([50, 60, 70]), place + np.float32([50, 60, 70])))
        cone = self.tree.query(acre.cone(place, [0, 0, 1], 300, 0.5))
        self.assertTrue(set(cone) <= set(self.tree.query(acre.sphere(place, 350))))
        self.assertGreater(len(cone), 0)
        self.assertEqual(len(self.tree.query(acre.everything())), COUNT)
        ray = self.tree.query(acre.ray(self.boxes[5, :3] - np.float32([0, 100, 0]), [0, 1, 0]))
        self.assertIn(5, ray)

    def test_what_a_query_leaves_out(self):
        self.tree.insert(self.boxes, layers=1)
        self.tree.set_layers(np.arange(0, COUNT, 3), 6)
        self.equals(self.tree.query(acre.everything(), layers=2), np.arange(0, COUNT, 3))
        self.equals(self.tree.query(acre.everything(), except_item=9), np.delete(np.arange(COUNT), 9))
        half = acre.frustum([[1, 0, 0, 0]])
        self.equals(self.tree.query(acre.everything(), exclude=half),
                    np.flatnonzero(self.boxes[:, 0] < 0))
        self.equals(self.tree.query(acre.everything(), exclude=half, exclude_touching=True),
                    np.flatnonzero(self.boxes[:, 3] < 0))
        edge = self.boxes[4]
        beside = acre.box(edge[3:], edge[3:] + np.float32([1, 1, 1]))
        self.assertIn(4, self.tree.query(beside))
        self.assertNotIn(4, self.tree.query(beside, not_touching=True))
        turned = acre.oriented_box([0, 0, 0], [300, 1, 1], np.float32([[1, 0, 1], [0, 2**0.5, 0], [-1, 0, 1]]) / 2**0.5)
        exact = self.tree.query(turned, exact=True)
        self.assertTrue(set(exact) <= set(self.tree.query(turned)))

    def test_the_nearest_come_first(self):
        self.tree.insert(self.boxes)
        for origin in ([10, 20, 30], [10, 20, 30, 40, 50, 60]):
            far = distances_to(self.boxes, origin)
            items, distances = self.tree.nearest(7, origin)
            np.testing.assert_allclose(distances, np.sort(far)[:7], rtol=1e-5)
            self.assertEqual(set(items), set(np.argsort(far)[:7]))
            limit = float(np.sort(far)[3]) * 1.0001
            self.assertEqual(len(self.tree.nearest(50, origin, max_distance=limit).items), 4)
        self.assertEqual(len(self.tree.nearest(0, [0, 0, 0]).items), 0)

    def test_rays_hit_what_one_ray_hits(self):
        self.tree.insert(self.boxes, layers=self.random.integers(1, 4, COUNT).astype(np.uint32))
        origins = self.random.uniform(-500, 500, (200, 3))
        ways = self.random.uniform(-1, 1, (200, 3))
        lengths = self.random.uniform(10, 900, 200)
        items, distances = self.tree.cast_rays(origins, ways, lengths, layers=2, half_size=[20, 20, 20])
        hits = 0
        for row in range(200):
            one = self.tree.nearest(1, shape=acre.ray(origins[row], ways[row], lengths[row], [20] * 3), layers=2)
            if len(one.items):
                hits += 1
                self.assertEqual((items[row], distances[row]), (one.items[0], one.distances[0]))
            else:
                self.assertEqual((items[row], distances[row]), (2**32 - 1, np.inf))
        self.assertGreater(hits, 20)
        ways[11] = np.nan
        with self.assertRaisesRegex(acre.InvalidArgumentError, "row 11: .*direction.* is NaN") as caught:
            self.tree.cast_rays(origins, ways)
        self.assertEqual(caught.exception.row, 11)

    def test_neighbors_of_rows(self):
        points = self.random.uniform(-100, 100, (500, 3)).astype(np.float32)
        self.tree.insert(points)
        far = np.sqrt(((points[:, None].astype(float) - points[None])**2).sum(axis=2))
        np.fill_diagonal(far, np.inf)
        found = self.tree.neighbors(25, distances=True)
        self.assertEqual(len(found), 500)
        for row in range(500):
            self.equals(found[row], np.flatnonzero(far[row] <= 25))
            np.testing.assert_allclose(found.distances_of(row), far[row][found[row]], rtol=1e-4)
        data, indices, pointers = found.to_csr()
        for row in range(0, 500, 7):
            part = slice(pointers[row], pointers[row + 1])
            np.testing.assert_array_equal(indices[part], found[row])
            np.testing.assert_array_equal(data[part], found.distances_of(row))
        row_7, begins, kept = found[7], found.first.copy(), found.items.copy()
        counts = found.counts
        del found  # views of its arrays live on
        for radius in (10, 20, 40):
            self.tree.neighbors(radius, distances=True)
        np.testing.assert_array_equal(row_7, kept[begins[7]:begins[7] + counts[7]])
        some = self.tree.neighbors(25, items=[7, 3], nearest=4)
        self.assertEqual(list(some[1]), list(np.argsort(far[3])[:4][far[3][np.argsort(far[3])[:4]] <= 25]))
        places = self.random.uniform(-100, 100, (40, 3)).astype(np.float32)
        radii = self.random.uniform(5, 40, 40).astype(np.float32)
        boxes = np.hstack([points, points])
        for row, items in enumerate(self.tree.query_ball_point(places, radii)):
            self.equals(items, np.flatnonzero(distances_to(boxes, places[row]) <= radii[row]))
        self.equals(self.tree.query_ball_point(places[0], 30),
                    np.flatnonzero(distances_to(boxes, places[0]) <= 30))
        lengths = self.tree.query_ball_point(places, 30, return_length=True)
        self.assertEqual(lengths[0], self.tree.query_ball_point(places[0], 30, return_length=True))
        pairs = self.tree.query_pairs(25)
        expected = np.argwhere(np.triu(far <= 25))
        np.testing.assert_array_equal(np.unique(pairs, axis=0), expected)
        self.assertEqual(len(pairs), len(expected))
        self.tree.remove(np.arange(0, 500, 3)) # rows of absent items are empty
        left = expected[(expected % 3 > 0).all(axis=1)]
        np.testing.assert_array_equal(np.unique(self.tree.query_pairs(25), axis=0), left)

    def test_layers_of_rows_and_on_the_ground(self):
        points = self.random.uniform(-100, 100, (300, 3)).astype(np.float32)
        masks = (1 << self.random.integers(0, 4, 300)).astype(np.uint32)
        self.tree.insert(points, layers=masks)
        far = np.sqrt(((points[:, None, ::2].astype(float) - points[None, :, ::2])**2).sum(axis=2))
        np.fill_diagonal(far, np.inf)
        within = self.tree.layers_within(20, on_ground=True)
        enemies = self.tree.neighbors(20, on_ground=True, row_layers=~masks)
        for row in range(300):
            near = far[row] <= 20
            self.assertEqual(within[row], np.bitwise_or.reduce(masks[near], initial=0))
            self.equals(enemies[row], np.flatnonzero(near & (masks != masks[row])))

    def test_pairs_and_contacts(self):
        boxes, others = random_boxes(self.random, 400, 40), random_boxes(self.random, 300, 40)
        self.tree.insert(boxes)
        expected = np.argwhere(np.triu(pairs_of(boxes, boxes), 1))
        np.testing.assert_array_equal(np.unique(self.tree.pairs(), axis=0), expected)
        with acre.Tree(half_size=512) as other:
            other.insert(others)
            between = np.unique(self.tree.pairs_between(other), axis=0)
            np.testing.assert_array_equal(between, np.argwhere(pairs_of(boxes, others)))
        self.equals(self.tree.pairs_of(3), np.flatnonzero(pairs_of(boxes[3:4], boxes)[0] & (np.arange(400) != 3)))
        contacts = acre.Contacts()
        before = {tuple(pair) for pair in contacts.update(self.tree).now}
        self.assertEqual(before, {tuple(pair) for pair in expected})
        boxes += np.float32(self.random.uniform(-9, 9, (400, 1)))
        self.tree.refresh_all(boxes)
        contacts.update(self.tree)
        after = {tuple(pair) for pair in np.argwhere(np.triu(pairs_of(boxes, boxes), 1))}
        self.assertEqual({tuple(pair) for pair in contacts.began}, after - before)
        self.assertEqual({tuple(pair) for pair in contacts.ended}, before - after)
        self.assertEqual(len(self.tree.pairs(meets=np.zeros(32, np.uint32))), 0)

    def test_boxes_are_read_where_they_stand_and_other_types_are_converted(self):
        records = np.full((2 * COUNT, 9), np.nan, np.float32)
        view = records[::2, 2:8]  # every second row, six columns of nine
        view[:] = self.boxes
        self.assertIs(acre.arrays.boxes_of(view)[2].base, records)
        self.tree.insert(view, list(range(COUNT)))
        self.tree.refresh_all(np.asfortranarray(self.boxes))
        self.tree.refresh(self.boxes[::-1].astype(float), np.arange(COUNT)[::-1])
        np.testing.assert_array_equal(self.tree.boxes(np.arange(COUNT)), self.boxes)
        self.assertTrue(np.isnan(self.tree.boxes([COUNT + 1])).all())
        centers, half = self.random.integers(-500, 500, (COUNT, 3)), [[1, 2, 3]]
        self.tree.refresh_all((centers, half))
        np.testing.assert_array_equal(self.tree.boxes([5])[0], [*(centers[5] - half[0]), *(centers[5] + half[0])])

    def test_what_was_removed_is_not_there(self):
        self.tree.insert(self.boxes)
        self.tree.remove(np.arange(0, COUNT, 2))
        self.equals(self.tree.query(acre.everything()), np.arange(1, COUNT, 2))
        self.assertNotIn(4, self.tree)
        self.assertIn(5, self.tree)
        self.assertEqual(len(self.tree), COUNT // 2)
        self.tree.optimize()
        self.tree.tighten()
        self.tree.trim()
        self.tree.reserve(10000)
        self.assertEqual(self.tree.stats()["items"], COUNT // 2)
        self.tree.clear()
        self.assertEqual(len(self.tree), 0)

    def test_workers_change_no_answer(self):
        with acre.Tree(half_size=512, workers=4) as divided:
            boxes = random_boxes(self.random, 60000)
            for tree in (self.tree, divided):
                tree.insert(boxes)
                tree.optimize()
            one, many = self.tree.neighbors(5, distances=True), divided.neighbors(5, distances=True)
            np.testing.assert_array_equal(one.items, many.items)
            np.testing.assert_array_equal(one.distances, many.distances)

    def test_errors_say_what_is_wrong_and_the_other_rows_are_applied(self):
        self.tree.insert(self.boxes[:4])
        with self.assertRaisesRegex(acre.NotFoundError, r"items\[0\] is not there \(item 9\)"):
            self.tree.remove([9])
        with self.assertRaises(acre.ExistsError):
            self.tree.insert(self.boxes[:1], [3])
        moved = self.boxes[:4] + np.float32(1)
        moved[2, 0] = np.nan
        with self.assertRaisesRegex(ValueError, r"boxes\[2\].min\[0\] is NaN") as caught:
            self.tree.refresh_all(moved)
        self.assertEqual(caught.exception.row, 2)
        np.testing.assert_array_equal(self.tree.boxes([3])[0], moved[3])
        np.testing.assert_array_equal(self.tree.boxes([2])[0], self.boxes[2])
        for wrong in (lambda: acre.Tree(-1.0), lambda: self.tree.insert(self.boxes, np.arange(3)),
                      lambda: self.tree.insert(self.boxes[:1], [-1]), lambda: acre.frustum(np.zeros((17, 4))),
                      lambda: self.tree.refresh_all(np.zeros((4, 5))), lambda: acre.sphere([1, 2], 3),
                      lambda: self.tree.query(acre.sphere([0, 0, 0], -1)),
                      lambda: self.tree.neighbors([1, 2]), lambda: self.tree.pairs(meets=[1])):
            self.assertRaises(ValueError, wrong)

    def test_what_a_newcomer_writes_is_taken_or_named(self):
        points = self.boxes[:50, :3].copy()
        self.tree.insert((points, 1)) # one half size, as a number or as three
        np.testing.assert_array_equal(self.tree.boxes([7])[0], [*(points[7] - 1), *(points[7] + 1)])
        self.tree.refresh((points, [1, 2, 3]), np.arange(50))
        np.testing.assert_array_equal(self.tree.boxes([7])[0], [*(points[7] - [1, 2, 3]), *(points[7] + [1, 2, 3])])
        self.tree.insert([], [])
        self.assertEqual(repr(self.tree), "<acre.Tree: 50 items>")
        self.assertFalse(-1 in self.tree or 2**32 + 1 in self.tree)
        one = self.tree.cast_rays(points, [1, 0, 0], 30)
        many = self.tree.cast_rays(points, np.tile([1, 0, 0], (50, 1)), np.full(50, 30))
        np.testing.assert_array_equal(one, many)
        bad = points.copy()
        bad[5, 2] = np.nan
        for said, wrong in (
                ("np.flatnonzero", lambda: self.tree.remove(np.ones(50, bool))),
                (r"not \(n, 6\), nor \(n, 3\)", lambda: self.tree.insert(points[:, :2])),
                ("acre.sphere", lambda: self.tree.query([0, 0, 0])),
                ("takes an origin", lambda: self.tree.nearest(3)),
                ("count is -1", lambda: self.tree.nearest(-1, [0, 0, 0])),
                ("radius is -1", lambda: self.tree.query_pairs(-1)),
                ("radius is nan", lambda: self.tree.neighbors(np.nan)),
                (r"radius has shape \(3,\)", lambda: self.tree.neighbors([1, 2, 3], points=points)),
                (r"items\[1\] is not there \(item 77\)", lambda: self.tree.neighbors(1, items=[7, 77])),
                (r"points\[5\]", lambda: self.tree.neighbors(1, points=bad)),
                (r"points\[5\]", lambda: self.tree.layers_within(1, points=bad)),
                ("50 origins and 3 directions", lambda: self.tree.cast_rays(points, points[:3])),
                (r"lengths has shape \(3,\)", lambda: self.tree.cast_rays(points, points, [1, 2, 3])),
                (r"pairs\(\)", lambda: self.tree.pairs_between(self.tree))):
            self.assertRaisesRegex((ValueError, TypeError, LookupError), said, wrong)

    def test_a_closed_tree_raises(self):
        self.tree.close()
        self.tree.clear()
        for call in (self.tree.maintain, lambda: self.tree.query(acre.everything()), lambda: self.tree.neighbors(1)):
            self.assertRaisesRegex(acre.InvalidArgumentError, "is closed", call)
        self.assertEqual(repr(self.tree), "<acre.Tree: closed>")


if __name__ == "__main__":
    unittest.main()
