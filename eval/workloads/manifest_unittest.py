import unittest

from eval.workloads import manifest, prepare


class Manifest(unittest.TestCase):
    def setUp(self):
        self.workloads = manifest.load()

    def test_has_the_twelve_programs_and_five_that_are_held_out(self):
        names = {held_out: " ".join(name for name, workload in self.workloads.items()
                                    if workload.held_out == held_out)
                 for held_out in (False, True)}
        self.assertEqual(
            {False: "antlr4 bcel checkstyle ecj fop h2 jython lusearch numerics sunflow tomcat xalan",
             True: "freemarker graphs groovy jackson xerces"}, names)

    def test_every_program_has_a_driver_known_inputs_and_a_checksum(self):
        for workload in self.workloads.values():
            with self.subTest(workload.name):
                driver = manifest.FOLDER / "java" / "wl" / f"{workload.class_name}.java"
                self.assertTrue(driver.is_file())
                self.assertLessEqual(set(workload.inputs), set(prepare._INPUTS))
                self.assertTrue(workload.checksums)
                for versions, checksum in workload.checksums.items():
                    self.assertRegex(checksum, "^[0-9a-f]{16}$")
                    named = [part.split()[0] for part in versions.split(", ")]
                    self.assertEqual(list(workload.packages), named)


if __name__ == "__main__":
    unittest.main()
