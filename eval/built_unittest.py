import tempfile
import unittest
from pathlib import Path
from unittest import mock

from eval.built import Built, whole
from eval.measure import Failed


class Recordings(unittest.TestCase):
    def test_nothing_recorded_is_a_failure_that_says_what_the_agent_said(self):
        with Built(Path("/b")).recording("mode=foo") as recording:
            with self.assertRaisesRegex(Failed, "mode=foo: yieldpoint: no such mode"):
                recording.info("yieldpoint: no such mode")

    def test_the_spools_folder_is_gone_afterwards(self):
        with Built(Path("/b")).recording("mode=cbs") as recording:
            recording.spool.write_text("x")
        self.assertFalse(recording.spool.parent.exists())

    def test_the_place_of_the_spool_is_encoded_for_the_agent(self):
        with tempfile.TemporaryDirectory(prefix="a,b=c") as folder:
            with mock.patch("tempfile.tempdir", folder):
                with Built(Path("/b")).recording("mode=cbs") as recording:
                    option = recording.jvm_option
        self.assertTrue(option.startswith("-agentpath:/b/hotspot/libyieldpoint.so=spool=/"), option)
        self.assertTrue(option.endswith(".yp-spool,mode=cbs"), option)
        self.assertIn("a%2Cb%3Dc", option)

    def test_a_cut_off_or_damaged_recording_does_not_count(self):
        good = {"profile": "p", "complete": True, "damage": ""}
        self.assertIs(good, whole(good))
        for bad in ({"complete": False}, {"damage": "frame 3"}):
            with self.assertRaises(Failed):
                whole({**good, **bad})


if __name__ == "__main__":
    unittest.main()
