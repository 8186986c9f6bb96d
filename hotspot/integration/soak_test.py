"""The soak command, in short: finds gross leaks only."""

from __future__ import annotations

import random
import unittest

from hotspot.integration import jvm, soak
from hotspot.integration.jvm import JvmTestCase, on_each_jdk

SECONDS = 16
MODES = {17: "exact", 25: "cbs"}
# So early the JVM itself is not flat; hundreds of threads and class loaders a second, leaked, would
# be far above this.
TOLERANCE_KB_PER_SECOND = 1500


class FitTest(unittest.TestCase):
    def test_a_line_in_noise_is_found_within_its_error(self):
        noise = random.Random(20261121)
        x = [0.5 * i for i in range(200)]
        fit = soak.fit_line(x, [3 * a + noise.gauss(0, 5) for a in x])
        self.assertLess(abs(fit.slope - 3), 4 * fit.standard_error)
        self.assertGreater(fit.slope - 2 * fit.standard_error, 2.5)


class MethodIdsTest(unittest.TestCase):
    def test_blocks_are_taken_with_what_malloc_and_the_tracking_add(self):
        report = """\
[0x00007f66727bdc09] Method::make_jmethod_id(ClassLoaderData*, Method*)+0x3c9
[0x00007f66726264f9] JvmtiEnvBase::get_stack_trace(JavaThread*, int, int, jvmtiFrameInfo*)+0x109
                             (malloc=64KB type=Internal #1024) (at peak)

[0x00007f6672a4d281] SymbolTable::create_table()+0x181
                             (malloc=256KB type=Symbol #1) (at peak)

[0x00007f66727bdbd9] Method::make_jmethod_id(ClassLoaderData*, Method*)+0x399
                             (malloc=40KB type=Class #1024) (peak=41KB #1050)
"""
        self.assertEqual(96 + 64, soak.method_ids_kb(report))


class SoakTest(JvmTestCase):
    @on_each_jdk(since=17)
    def test_memory_does_not_run_away(self, jdk):
        result = soak.soak(jdk, jvm.AGENT, jvm.PROGRAMS / "classes", MODES[jdk.major], SECONDS,
                           TOLERANCE_KB_PER_SECOND)
        self.assertFalse(result.grows, result)


if __name__ == "__main__":
    unittest.main()
