"""Tests of tools/not_tested.py."""

from __future__ import annotations

import subprocess
import sys
import unittest
from pathlib import Path

from tools import not_tested

LOG = """\
1/4 Testing: hotspot_integration_edges
1/4 Test: hotspot_integration_edges
Output:
----------------------------------------------------------
test_a (hotspot.integration.edges_test.Edges.test_a) ... SKIPPED on JDK 25, which is not installed: hotspot.integration.edges_test.Edges.test_a
SKIPPED on JDK 25, which is not installed: hotspot.integration.edges_test.Edges.test_b
ok
<end of output>
2/4 Test: cli_run_test
test_ant (__main__.RunOnJdk17.test_ant) ... ok
setUpClass (__main__.RunOnJdk25) ... skipped 'NOT TESTED: there is no JDK 25 here'
setUpClass (__main__.MoreOnJdk25) ... skipped 'NOT TESTED: there is no JDK 25 here'
test_quoted (__main__.RunOnJdk17.test_quoted) ... skipped "it's not there"
OK (skipped=2)
3/4 Test: classfile_roundtrip_unittest
[ RUN      ] Jdks/RoundTrip.Links/25
roundtrip_unittest.cc:181: Skipped
NOT TESTED: there is no JDK 25 in /usr/lib/jvm

[  SKIPPED ] Jdks/RoundTrip.Links/25 (3 ms)
[  SKIPPED ] 1 test, listed below:
[  SKIPPED ] Jdks/RoundTrip.Links/25
[ RUN      ] SpoolDamageTest.GarbageIsSkipped
[       OK ] SpoolDamageTest.GarbageIsSkipped (19 ms)
4/4 Test: ui_unittest
ok 7 - the page # SKIP no browser
# skipped 1
"""


class NotTestedTest(unittest.TestCase):
    def test_tells_each_reason_once(self) -> None:
        self.assertEqual([
            "hotspot_integration_edges: SKIPPED on JDK 25, which is not installed (2 times)",
            "cli_run_test: NOT TESTED: there is no JDK 25 here (2 times)",
            "cli_run_test: it's not there",
            "classfile_roundtrip_unittest: NOT TESTED: there is no JDK 25 in /usr/lib/jvm",
            "ui_unittest: no browser",
        ], not_tested.summary(LOG.splitlines()))

    def test_says_so_where_nothing_was_skipped(self) -> None:
        script = Path(not_tested.__file__)
        told = subprocess.run([sys.executable, script, "/dev/null"], check=True, text=True,
                              stdout=subprocess.PIPE).stdout
        self.assertEqual("nothing was skipped\n", told)


if __name__ == "__main__":
    unittest.main()
