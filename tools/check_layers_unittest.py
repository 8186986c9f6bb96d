import unittest

from tools import check_layers


class Includes(unittest.TestCase):
    def problems(self, path, *includes):
        return check_layers.check_includes(path, "\n".join(f"#include {i}" for i in includes))

    def test_may_point_down(self):
        self.assertEqual([], self.problems("cli/run.cc", '"format/profile/load.h"', '"base/ids.h"'))
        self.assertEqual([], self.problems("hotspot/recording/drain.cc", '"format/spool/writer.h"',
                                           '"classfile/check.h"', '"recorder/log.h"'))

    def test_may_point_into_a_folder_below_and_not_out_of_it(self):
        self.assertEqual([], self.problems("format/profile/load.cc", '"format/spool/reader.h"'))
        self.assertEqual(1, len(self.problems("format/spool/reader.cc", '"format/export/a.h"')))

    def test_must_not_point_up(self):
        for path, included in (("base/status.h", "core/graph/dcg.h"),
                               ("core/graph/dcg.h", "classfile/check.h"),
                               ("core/graph/dcg.h", "format/spool/records.h"),
                               ("format/profile/load.cc", "cli/table.h"),
                               ("classfile/check.cc", "core/graph/dcg.h")):
            with self.subTest(path):
                self.assertEqual(1, len(self.problems(path, f'"{included}"')))

    def test_hosts_do_not_use_each_other_nor_profiles(self):
        for path, included in (("hotspot/agent/agent.cc", "compiler/heap.h"),
                               ("compiler/heap.cc", "hotspot/agent/agent.h"),
                               ("hotspot/agent/agent.cc", "format/profile/save.h"),
                               ("format/spool/spool.cc", "format/profile/save.h"),
                               ("cli/run.cc", "hotspot/support/options.h")):
            with self.subTest(path):
                self.assertEqual(1, len(self.problems(path, f'"{included}"')))

    def test_rooms_of_a_host_use_those_below(self):
        for path, included in (("hotspot/walk/a.cc", "hotspot/vmstructs/load.h"),
                               ("hotspot/recording/a.cc", "hotspot/probes/patch/a.h"),
                               ("hotspot/integration/a.cc", "hotspot/agent/agent.h"),
                               ("hotspot/arch/x64/a.cc", "hotspot/arch/a.h"),
                               ("compiler/a.cc", "recorder/a.h")):
            with self.subTest(path):
                self.assertEqual([], self.problems(path, f'"{included}"'))
        for path, included in (("hotspot/walk/a.cc", "hotspot/probes/probe.h"),
                               ("hotspot/vmstructs/a.cc", "hotspot/walk/a.h"),
                               ("hotspot/recording/a.cc", "hotspot/agent/agent.h"),
                               ("recorder/a.cc", "hotspot/support/a.h"),
                               ("hotspot/walk/a.cc", "hotspot/arch/x64/a.h"),
                               ("recorder/a.cc", "classfile/check.h")):
            with self.subTest(path):
                self.assertEqual(1, len(self.problems(path, f'"{included}"')))

    def test_names_that_only_begin_alike_are_other_folders(self):
        self.assertEqual([], self.problems("core/graph/a.h", '"format_tools/x.h"'))
        self.assertEqual(1, len(self.problems("hotspot/a.cc", '"format/spooling/x.h"')))

    def test_the_agents_part_uses_no_third_party_library_outside_its_tests(self):
        for path in ("hotspot/a.cc", "base/status.h", "core/sampling/cbs.cc"):
            self.assertEqual(1, len(self.problems(path, "<fmt/core.h>")))
        self.assertEqual(1, len(self.problems("classfile/a.cc", "<sqlite3.h>")))
        self.assertEqual([], self.problems("hotspot/a.cc", "<vector>", "<jvmti.h>"))
        self.assertEqual([], self.problems("hotspot/a_unittest.cc", "<nlohmann/json.hpp>"))
        self.assertEqual([], self.problems("core/graph/a.cc", "<boost/math/beta.hpp>"))


class Targets(unittest.TestCase):
    def test_links_follow_the_same_direction_as_includes(self):
        lists = {
            "base": "yp_library(yp_base)",
            "core/graph": "yp_library(yp_core_graph SOURCES a.cc DEPS yp_base)",
            "format/profile": "yp_library(yp_profile SOURCES p.cc\n  DEPS yp_core_graph)",
            "hotspot": "add_library(agent SHARED a.cc)\ntarget_link_libraries(agent yp_base)",
        }
        self.assertEqual([], check_layers.check_targets(lists))
        lists["base"] = "yp_library(yp_base DEPS yp_core_graph)"
        lists["hotspot"] += "\ntarget_link_libraries(agent PRIVATE # why\n  yp_profile)"
        self.assertEqual(
            ["base/CMakeLists.txt: yp_base must not link yp_core_graph of core/graph",
             "hotspot/CMakeLists.txt: agent must not link yp_profile of format/profile"],
            check_layers.check_targets(lists))

    def test_building_after_something_is_not_linking_it(self):
        lists = {"hotspot": "add_library(agent SHARED a.cc)",
                 "cli": "add_executable(yp main.cc)\nadd_dependencies(yp agent)"}
        self.assertEqual([], check_layers.check_targets(lists))

    def test_comments_do_not_count(self):
        lists = {"base": "yp_library(yp_base) # DEPS yp_core", "core": "yp_library(yp_core)"}
        self.assertEqual([], check_layers.check_targets(lists))


if __name__ == "__main__":
    unittest.main()
