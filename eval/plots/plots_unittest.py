"""Geometry, names and edge cases of the plots, by what the written XML says."""

import re
import unittest
import xml.etree.ElementTree as ElementTree

from eval.plots import frame
from eval.plots.bars import BarPlot, Bars
from eval.plots.density import bandwidth, density
from eval.plots.lines import Series, XyPlot
from eval.plots.panels import Panels
from eval.plots.scale import Axis
from eval.plots.violins import ViolinPlot
from eval.stats import Interval

_SVG = "{http://www.w3.org/2000/svg}"
_NASTY = "a<b>&\"'.<init>()V"


def parsed(plot):
    return ElementTree.fromstring(plot.svg())


def found(tree, tag):
    return list(tree.iter(_SVG + tag))


def texts(tree):
    return [text.text for text in found(tree, "text")]


def lines(*series, x=Axis("x", low=0, high=10), y=Axis("y", low=0, high=100)):
    return XyPlot("lines", "Lines", "Some lines.", x, y, series)


class Lines(unittest.TestCase):
    def test_points_stand_where_the_axes_say(self):
        place = frame.area(["a"])
        circles = found(parsed(lines(Series("a", [(0, 0), (5, 25), (10, 100)]))), "circle")
        at = [(float(c.get("cx")), float(c.get("cy"))) for c in circles]
        self.assertEqual([(place.left, place.bottom),
                          ((place.left + place.right) / 2, place.bottom - place.height / 4),
                          (place.right, place.top)], at)

    def test_on_log_axes_a_tenth_is_a_decade_away(self):
        tree = parsed(lines(Series("a", [(1, 1), (10, 10), (100, 100)], joined=False),
                            x=Axis("x", log=True), y=Axis("y", log=True)))
        place = frame.area(["a"])
        middle = found(tree, "circle")[1]
        self.assertAlmostEqual((place.left + place.right) / 2, float(middle.get("cx")))
        self.assertAlmostEqual((place.top + place.bottom) / 2, float(middle.get("cy")))

    def test_values_without_a_place_are_left_out(self):
        series = Series("a", [(1, 0), (2, float("nan")), (3, 7)], joined=False)
        self.assertEqual(1, len(found(parsed(lines(series, y=Axis("y", log=True))), "circle")))

    def test_a_band_goes_along_the_high_ends_and_back_along_the_low_ones(self):
        tree = parsed(lines(Series("a", [(0, 50)], band=[(0, 0, 50), (10, 50, 100)])))
        place = frame.area(["a"])
        band = next(p for p in found(tree, "path") if p.get("class") == "band")
        middle = place.top + place.height / 2
        corners = [float(number) for number in re.findall(r"[\d.]+", band.get("d"))]
        self.assertEqual([place.left, middle, place.right, place.top, place.right, middle,
                          place.left, place.bottom], corners)

    def test_the_band_of_one_point_is_a_line_through_it(self):
        tree = parsed(lines(Series("a", [(5, 50)], band=[(5, 0, 100)])))
        place = frame.area(["a"])
        middle = (place.left + place.right) / 2
        band = next(p for p in found(tree, "path") if p.get("class") == "band")
        corners = [float(number) for number in re.findall(r"[\d.]+", band.get("d"))]
        self.assertEqual([middle, place.bottom, middle, place.top], corners)

    def test_no_data_says_so_and_one_point_is_a_mark_without_a_line(self):
        self.assertIn("no data", texts(parsed(lines())))
        self.assertIn("no data", texts(parsed(lines(Series("a", []), x=Axis("x"), y=Axis("y")))))
        one = parsed(lines(Series("a", [(5, 5)]), x=Axis("x"), y=Axis("y", log=True)))
        self.assertNotIn("no data", texts(one))
        self.assertEqual(1, len(found(one, "circle")))
        self.assertFalse([p for p in found(one, "path") if p.get("stroke-linejoin")])

    def test_a_legend_is_for_more_than_one_series_and_stays_within_the_picture(self):
        self.assertNotIn("only", texts(parsed(lines(Series("only", [(1, 1)])))))
        names = [f"configuration number {i}" for i in range(9)]
        tree = parsed(lines(*(Series(name, [(1, 1)]) for name in names)))
        for text in found(tree, "text"):
            if text.text in names:
                self.assertLess(float(text.get("x")) + 6.4 * len(text.text), frame.WIDTH)
                self.assertLess(float(text.get("y")), frame.HEIGHT)
        self.assertTrue(set(names) <= set(texts(tree)))


class Names(unittest.TestCase):
    def test_from_profiles_are_text_in_every_plot(self):
        series = [Series(_NASTY, [(1, 2)]), Series("b", [(2, 3)])]
        xy = XyPlot("n", _NASTY, _NASTY, Axis(_NASTY), Axis(_NASTY), series)
        bars = BarPlot("n", _NASTY, _NASTY, Axis(_NASTY), [_NASTY], [Bars(_NASTY, [1.0])])
        violins = ViolinPlot("n", _NASTY, _NASTY, Axis(_NASTY, log=True), [(_NASTY, [1, 2])])
        for plot in (xy, bars, violins, Panels("n", _NASTY, _NASTY, [xy, bars, violins])):
            tree = parsed(plot)
            self.assertIn(_NASTY, texts(tree), plot)
            self.assertEqual([_NASTY] * 2, [tree[0].text, tree[1].text])

    def test_screen_readers_are_told_the_title_and_the_description(self):
        tree = parsed(lines(Series("a", [(1, 1)])))
        self.assertEqual("img", tree.get("role"))
        ids = {node.get("id"): node.text for node in tree.iter() if node.get("id")}
        self.assertEqual(["Lines", "Some lines."],
                         [ids[name] for name in tree.get("aria-labelledby").split()])

    def test_text_has_the_colour_of_the_page(self):
        tree = parsed(lines(Series("a", [(1, 1)])))
        self.assertEqual("currentColor", tree.get("fill"))
        self.assertFalse([text for text in found(tree, "text") if text.get("fill")])


class BarPlots(unittest.TestCase):
    def test_bars_stand_on_zero_and_end_at_their_values(self):
        tree = parsed(BarPlot("b", "B", "", Axis("y", low=-50, high=100), ["g", "h"],
                              [Bars("s", [50, -50])]))
        place = frame.area(["s"])
        zero = place.top + place.height * 100 / 150
        up, down = [(float(r.get("y")), float(r.get("height"))) for r in found(tree, "rect")]
        self.assertAlmostEqual(zero, up[0] + up[1], 1)
        self.assertAlmostEqual(place.height / 3, up[1], 1)
        self.assertAlmostEqual(zero, down[0], 1)
        self.assertAlmostEqual(place.height / 3, down[1], 1)

    def test_an_interval_goes_from_its_low_to_its_high_end(self):
        tree = parsed(BarPlot("b", "B", "", Axis("y", low=0, high=100), ["g"],
                              [Bars("s", [Interval(50, 25, 100)])]))
        place = frame.area(["s"])
        interval = next(p for p in found(tree, "path") if p.get("class") == "interval")
        _, low, high = re.match(r"M([\d.]+) ([\d.]+)V([\d.]+)M", interval.get("d")).groups()
        self.assertAlmostEqual(place.bottom - place.height / 4, float(low), 1)
        self.assertAlmostEqual(place.top, float(high), 1)

    def test_a_missing_value_leaves_its_place_empty(self):
        def lefts(values):
            tree = parsed(BarPlot("b", "B", "", Axis("y"), ["g", "h"], [Bars("s", values)]))
            return [r.get("x") for r in found(tree, "rect")]
        self.assertEqual(lefts([1, 2])[1:], lefts([None, 2]))
        self.assertEqual([], lefts([None, None]))

    def test_no_groups_say_that_there_are_no_data(self):
        self.assertIn("no data", texts(parsed(BarPlot("b", "B", "", Axis("y"), [], []))))

    def test_many_names_are_slanted(self):
        names = [f"a rather long name {i}" for i in range(12)]
        tree = parsed(BarPlot("b", "B", "", Axis("y"), names, [Bars("s", [1.0] * 12)]))
        slanted = [text.text for text in found(tree, "text")
                   if "rotate(-35" in text.get("transform", "")]
        self.assertEqual(names, slanted)


class Violins(unittest.TestCase):
    def test_the_median_has_its_dot(self):
        tree = parsed(ViolinPlot("v", "V", "", Axis("y", log=True, low=1, high=100),
                                 [("a", [1, 10, 100])]))
        place = frame.area([])
        dot = next(c for c in found(tree, "circle") if c.get("class") == "median")
        self.assertAlmostEqual((place.top + place.bottom) / 2, float(dot.get("cy")), 1)
        self.assertAlmostEqual((place.left + place.right) / 2, float(dot.get("cx")), 1)

    def test_equal_values_a_single_one_and_none_have_no_outline(self):
        for values, dots in (([5, 5, 5], 1), ([5], 1), ([], 0), ([0, -1], 0)):
            tree = parsed(ViolinPlot("v", "V", "", Axis("y", log=True), [("a", values)]))
            self.assertEqual(dots, len(found(tree, "circle")), values)
            self.assertFalse([p for p in found(tree, "path") if p.get("fill-opacity")], values)

    def test_is_symmetric_and_widest_where_most_values_are(self):
        values = [10] * 1 + [100 * 1.01 ** i for i in range(50)] + [10_000]
        tree = parsed(ViolinPlot("v", "V", "", Axis("y", log=True), [("a", values)]))
        outline = next(p for p in found(tree, "path") if p.get("fill-opacity"))
        points = [tuple(map(float, point.split()))
                  for point in outline.get("d")[1:-1].split("L")]
        half = len(points) // 2
        place = frame.area([])
        centre = (place.left + place.right) / 2
        for (x1, y1), (x2, y2) in zip(points[:half], reversed(points[half:])):
            self.assertEqual(y1, y2)
            self.assertAlmostEqual(centre - x1, x2 - centre, 1)
        widest = max(points[half:])
        # 100 to 163 on a scale from 10 to 10,000: 0.33 to 0.4 of the height.
        share = (place.bottom - widest[1]) / place.height
        self.assertTrue(0.3 < share < 0.45, share)


class Density(unittest.TestCase):
    def test_integrates_to_one(self):
        curve = density([0.0, 0.1, 5.0, 5.2, 9.0], 0.7)
        step = curve[1][0] - curve[0][0]
        self.assertAlmostEqual(1, sum(height for _, height in curve) * step, 2)

    def test_of_one_kernel_is_a_bell(self):
        curve = dict((round(x, 6), height) for x, height in density([0.0], 1.0))
        self.assertAlmostEqual(0.3989, max(curve.values()), 2)
        self.assertAlmostEqual(0.0044, curve[-3.0], 3)

    def test_bandwidth_is_that_of_the_rule_of_thumb(self):
        # 0 to 4: deviation sqrt(2), quartiles 1 and 3; 2 / 1.34 is more than sqrt(2).
        self.assertAlmostEqual(0.9 * 2 ** 0.5 * 5 ** -0.2, bandwidth([0, 1, 2, 3, 4]))
        self.assertEqual(0, bandwidth([3]))
        self.assertEqual(0, bandwidth([3, 3, 3]))
        self.assertGreater(bandwidth([0, 5, 5, 5, 5, 5, 5, 9]), 0, "the quartiles are equal")


class Together(unittest.TestCase):
    def test_panels_stand_in_rows(self):
        plots = [lines(Series("a", [(1, 1)])) for _ in range(3)]
        tree = parsed(Panels("p", "P", "", plots, columns=2))
        at = [child.get("transform") for child in tree if child.get("role") == "img"]
        self.assertEqual(["translate(0 34)", "translate(640 34)", "translate(0 434)"], at)
        self.assertFalse(found(tree, "svg")[1:], "a page may set the size of any svg element")
        self.assertEqual("0 0 1280 834", tree.get("viewBox"))

    def test_the_same_data_give_the_same_bytes(self):
        plot = lines(Series("a", [(i / 7, i ** 2 / 3) for i in range(20)]))
        self.assertEqual(plot.svg(), plot.svg())


if __name__ == "__main__":
    unittest.main()
