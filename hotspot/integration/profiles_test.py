"""What the VM counts in its methods is read, while it counts, and calls are resolved as it does."""

from __future__ import annotations

import json
import os
import unittest

from eval import jdks
from hotspot.integration.jvm import JvmTestCase, on_each_jdk
from hotspot.integration.programs import FOLDER

LIBRARY = os.environ.get("YP_METHOD_PROFILES", "")
CALLS = 200_000
# The interpreter counts some calls of a method before it counts what the method calls.
TOLERANCE = 0.02
SOURCES = sorted(str(path) for path in (FOLDER / "java" / "torture").glob("*.java"))

P = "programs/Profiled"
# Of programs.Profiled.work, in the order of its calls: what is called, how often for one of work.
BOUND = [(f"{P}.leaf", 1), (f"{P}$Named.name", 3), (f"{P}.rare", 0.1), (f"{P}.own", 1),
         (f"{P}$Two.<init>", 1)]
SELECTED = [{"java/lang/Object.hashCode": [1]},
            {f"{P}$Two.sides": [1]},
            {f"{P}$One.sides": [0.25], f"{P}$Named.sides": [0.75]},
            {f"{P}$One.area": [0.5], f"{P}$Two.area": [0.5]},
            {f"{P}$Shape.twice": [0.25], f"{P}$Three.twice": [0.75]},
            None,  # Four receivers for two rows.
            {"java/lang/Object.equals": [0.5, 0.5]}]


class ProfilesTest(JvmTestCase):
    def run_profiled(self, jdk: jdks.Jdk, *jvm: str, sources=()) -> tuple[dict, dict]:
        """Methods by name, and the sum over all."""
        native = ["--enable-native-access=ALL-UNNAMED"] if jdk.major >= 22 else []
        outcome = self.run_java(jdk, "programs.Profiled", LIBRARY, str(CALLS), *sources,
                                jvm=[*native, *jvm])
        self.assertEqual((0, ""), (outcome.exit_code, outcome.stderr))
        try:
            lines = [json.loads(line) for line in outcome.stdout.splitlines()]
        except json.JSONDecodeError:
            self.fail(outcome.stdout)
        return {line["method"]: line for line in lines[:-1]}, lines[-1]

    def assert_share(self, expected: float, calls: int, method: dict, of: str) -> None:
        self.assertAlmostEqual(expected, calls / method["invocations"], delta=TOLERANCE * expected,
                               msg=of)

    @on_each_jdk()
    def test_calls_of_all_kinds_have_their_rates_and_callees(self, jdk):
        methods, _ = self.run_profiled(jdk, "-XX:TieredStopAtLevel=3")
        work = methods[f"{P}.work"]
        self.assertGreater(work["invocations"], 0.9 * CALLS)
        self.assert_share(3, work["backedges"], work, "the loop")
        self.assertEqual(len(BOUND) + len(SELECTED), len(work["sites"]))
        for site, (name, rate) in zip(work["sites"], BOUND):
            self.assertEqual(name, site["bound"])
            self.assert_share(rate, site["calls"], work, name)
        for site, callees in zip(work["sites"][len(BOUND):], SELECTED):
            self.assertIsNone(site["bound"])
            self.assert_share(1, site["calls"], work, str(callees))
            self.check_receivers(work, site, callees)
        sides = methods[f"{P}$Two.sides"]
        self.assertEqual([f"{P}$One.sides"], [site["bound"] for site in sides["sites"]])
        self.assert_share(1, sides["sites"][0]["calls"], sides, "the superclass's")

    def check_receivers(self, work: dict, site: dict, callees: dict | None) -> None:
        found = {}
        for receiver in site["receivers"]:
            found.setdefault(receiver["callee"], []).append(receiver["calls"])
        if callees is None:
            self.assertEqual(2, len(found))
            self.assertTrue(all(name.endswith(".area") for name in found), found)
            callees = {name: [0.25] for name in found}
        self.assertEqual(set(callees), set(found))
        for name, rates in callees.items():
            self.assertEqual(len(rates), len(found[name]))
            for rate, calls in zip(rates, found[name]):
                self.assert_share(rate, calls, work, name)

    @on_each_jdk(module="jdk.compiler")
    def test_all_profiles_of_a_compiler_make_sense(self, jdk):
        for variant in ((), ("-Xshare:off",), ("-XX:TypeProfileWidth=4",),
                        ("-XX:TypeProfileLevel=222",), ("-XX:-UseCompressedClassPointers",)):
            if jdk.major >= 25 and "-XX:-UseCompressedClassPointers" in variant:
                continue  # Deprecated, and says so.
            with self.subTest(variant):
                _, all_methods = self.run_profiled(jdk, *variant, sources=SOURCES)
                self.assertGreater(all_methods["read"], 1000)
                self.assertEqual(all_methods["with_data"], all_methods["read"])
                self.assertEqual(0, all_methods["unlike_code"])
                self.assertGreater(all_methods["bound"], 100 * all_methods["not_bound"])
                self.assertGreater(all_methods["receivers"], 100 * all_methods["not_selected"])

    @on_each_jdk(since=17)
    def test_without_receivers_there_is_no_layout_to_tell(self, jdk):
        # Nothing is interpreted for long, and nothing counted: no profiles. JDK 11 makes some.
        outcome = self.run_java(jdk, "programs.Profiled", LIBRARY, "1",
                                jvm=["-XX:TieredStopAtLevel=1"])
        self.assertIn("too few method profiles to tell their layout", outcome.stdout)


if __name__ == "__main__":
    unittest.main()
