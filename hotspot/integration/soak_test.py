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


class SoakTest(JvmTestCase):
    @on_each_jdk()
    def test_memory_does_not_run_away(self, jdk):
        result = soak.soak(jdk, jvm.AGENT, jvm.PROGRAMS / "classes", MODES[jdk.major], SECONDS,
                           TOLERANCE_KB_PER_SECOND)
        self.assertFalse(result.grows, result)


if __name__ == "__main__":
    unittest.main()
