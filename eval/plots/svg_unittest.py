import unittest
import xml.etree.ElementTree as ElementTree

from eval.plots import svg


class Elements(unittest.TestCase):
    def test_text_and_attributes_come_back_as_they_were(self):
        nasty = """<script>alert("1 & '2'")</script>]]>"""
        parsed = ElementTree.fromstring(
            svg.element("text", nasty, svg.element("title", nasty), id=nasty).text())
        self.assertEqual(nasty, parsed.text)
        self.assertEqual(nasty, parsed.get("id"))
        self.assertEqual(nasty, parsed[0].text)

    def test_what_xml_cannot_say_is_replaced(self):
        parsed = ElementTree.fromstring(svg.element("text", "a\0b\x1bc\ud800").text())
        self.assertEqual("a\ufffdb\ufffdc\ufffd", parsed.text)

    def test_python_names_become_those_of_svg(self):
        self.assertEqual('<path stroke-width="1.5" class="x"/>',
                         svg.element("path", stroke_width=1.5, class_="x").text())


class Numbers(unittest.TestCase):
    def test_are_short_and_never_minus_zero(self):
        self.assertEqual(["0", "0", "1", "10", "1.5", "-2.25", "0.33"],
                         [svg.number(x) for x in (0, -0.001, 1, 10.0, 1.5, -2.25, 1 / 3)])

    def test_a_path_is_of_straight_lines(self):
        self.assertEqual("M0 1L2.5 3Z", svg.path([(0, 1), (2.5, 3)], closed=True))
        self.assertEqual("", svg.path([]))


if __name__ == "__main__":
    unittest.main()
