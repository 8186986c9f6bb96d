import os
import unittest

from eval.busy import busy


class Busy(unittest.TestCase):
    def test_processes_end_with_the_block_whatever_ends_it(self):
        with self.assertRaises(ZeroDivisionError), busy(2) as processes:
            self.assertEqual(2, len(set(processes)))
            for process in processes:
                os.kill(process, 0)  # It is there.
            raise ZeroDivisionError
        for process in processes:
            with self.assertRaises(ProcessLookupError):
                os.kill(process, 0)

    def test_none_are_none(self):
        with busy(0) as processes:
            self.assertEqual([], processes)

    def test_a_process_ends_by_itself_at_its_limit(self):
        with busy(1, limit_seconds=0) as processes:
            _, status = os.waitpid(processes[0], 0)
        self.assertEqual(0, status)


if __name__ == "__main__":
    unittest.main()
