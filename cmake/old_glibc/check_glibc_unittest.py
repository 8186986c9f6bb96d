import unittest

from cmake.old_glibc.check_glibc import problems

NEEDS = """Dynamic section at offset 0x2d8 contains 30 entries:
 0x0000000000000001 (NEEDED)             Shared library: [libm.so.6]
 0x0000000000000001 (NEEDED)             Shared library: [libc.so.6]
{dynamic}
Version definition section '.gnu.version_d' contains 1 entry:
  000000: Rev: 1  Flags: BASE  Index: 1  Cnt: 1  Name: libyieldpoint.so

Version needs section '.gnu.version_r' contains 2 entries:
 Addr: 0x0000000000005a28  Offset: 0x005a28  Link: 5 (.dynstr)
  000000: Version: 1  File: libm.so.6  Cnt: 1
  0x0010:   Name: GLIBC_2.2.5  Flags: none  Version: 8
  0x0020: Version: 1  File: libc.so.6  Cnt: 2
  0x0030:   Name: GLIBC_2.14  Flags: none  Version: 7
{versions}
"""


def found(dynamic="", versions="", newest="2.17"):
    return list(problems(NEEDS.format(dynamic=dynamic, versions=versions), newest))


class CheckGlibcTest(unittest.TestCase):
    def test_takes_old_versions(self):
        self.assertEqual(found(), [])

    def test_finds_newer_versions(self):
        newer = "  0x0040:   Name: GLIBC_2.34  Flags: none  Version: 6"
        self.assertEqual(found(versions=newer),
                         ["symbols of version GLIBC_2.34 are needed; glibc 2.17 is to do"])
        self.assertEqual(found(versions=newer, newest="2.34"), [])
        self.assertEqual(len(found(newest="2.4")), 1)  # 2.14 is newer than 2.4.

    def test_finds_versions_of_other_libraries(self):
        self.assertEqual(found(versions="  0x0040:   Name: GLIBCXX_3.4.30  Flags: none  Version: 6"),
                         ["symbols of version GLIBCXX_3.4.30 are needed"])

    def test_finds_other_libraries_and_run_paths(self):
        self.assertEqual(found(dynamic=" 0x1 (NEEDED)   Shared library: [libzip.so.4]"),
                         ["libzip.so.4 is needed; link it in"])
        self.assertEqual(found(dynamic=" 0x1d (RUNPATH)   Library runpath: [/opt]"),
                         ["it holds a run path"])

    def test_finds_that_it_was_told_nothing(self):
        self.assertEqual(len(list(problems("", "2.17"))), 2)


if __name__ == "__main__":
    unittest.main()
