import unittest

from eval.workloads import manifest, prepare


class Manifest(unittest.TestCase):
    def setUp(self):
        self.workloads = manifest.load()

    def test_measures_twelve_programs_unless_others_are_named(self):
        def names(wanted):
            return " ".join(name for name, workload in self.workloads.items() if wanted(workload))

        self.assertEqual(
            "antlr4 bcel checkstyle ecj fop h2 jython lusearch numerics sunflow tomcat xalan",
            names(lambda workload: workload.by_default))
        self.assertEqual(
            "clojure freemarker graphs groovy jackson jgit jscomp jts netty sat weka xerces",
            names(lambda workload: workload.held_out))
        self.assertEqual("call-density latency", names(lambda workload: workload.bias))
        self.assertEqual("fft growing-multiply lu monte-carlo sor sparse-multiply",
                         names(lambda workload: workload.kernel))
        self.assertEqual("service-http service-queues service-threads",
                         names(lambda workload: workload.service))

    def test_every_program_has_a_driver_known_inputs_and_a_checksum(self):
        for workload in self.workloads.values():
            with self.subTest(workload.name):
                driver = manifest.FOLDER / "java" / "wl" / f"{workload.class_name}.java"
                self.assertTrue(driver.is_file())
                self.assertLessEqual(set(workload.inputs), set(prepare._INPUTS))
                self.assertTrue(workload.checksums)
                for versions, checksum in workload.checksums.items():
                    self.assertRegex(checksum, "^[0-9a-f]{16}$")
                    named = [part.split()[0] for part in versions.split(", ") if part]
                    self.assertEqual(list(workload.packages), named)

    def test_the_name_of_a_set_stands_for_its_programs(self):
        sets = manifest.sets(self.workloads)
        self.assertEqual(["tuned", "held-out"], list(sets))
        self.assertEqual([], [name for name in sets if name in self.workloads])
        named = manifest.expanded(["latency", "held-out", "fop"], sets)
        self.assertEqual(["latency", *sets["held-out"], "fop"], named)
        self.assertTrue(all(self.workloads[name].held_out for name in sets["held-out"]))

    def test_means_are_also_taken_of_each_set_where_there_are_both(self):
        both = {"fop": 1, "groovy": 2, "latency": 3}
        self.assertEqual({"": both, ", tuned": {"fop": 1}, ", held-out": {"groovy": 2}},
                         manifest.parts(both))
        for one in ({"fop": 1, "h2": 2, "latency": 3}, {"groovy": 1, "xerces": 2}, {"made-up": 1}):
            self.assertEqual({"": one}, manifest.parts(one))


if __name__ == "__main__":
    unittest.main()
