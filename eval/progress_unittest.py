import unittest

from eval.progress import Progress


class TimeLeft(unittest.TestCase):
    def setUp(self):
        self.now = 0.0
        self.logged = []
        self.progress = Progress(100, clock=lambda: self.now, log=self.logged.append)

    def test_is_in_minutes_when_it_is_long(self):
        self.now = 30.0
        self.progress.done("one")
        self.assertEqual("one; about 50 min left", self.logged[0])

    def test_does_not_count_steps_that_are_left_out(self):
        self.progress.leave_out(90)
        self.now = 10.0
        self.progress.done("one")
        self.assertEqual("one; about 90 s left", self.logged[0])


if __name__ == "__main__":
    unittest.main()
