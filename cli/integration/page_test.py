"""yp report and yp serve: pages of real profiles, in Chromium (ui/e2e) and over HTTP."""

import base64
import contextlib
import gzip
import http.client
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import unittest

from support import JDKS, ROOT, JvmTest

sys.path.insert(0, str(ROOT))
from eval import tiny_profile_for_test as tiny  # noqa: E402

UI = ROOT / "ui"
HOSTILE = ['evil.<img src=x onerror=alert(1)>.run()V', 'evil."></script><script>alert(2)</script>.go()V',
           "evil.'`${alert(3)}`.x()V", "evil.\u202egnp.\u202c.y()V", f"evil.{'L' * 5000}.z()V"]


def chromium():
    """Its path, by preference without windows: the same engine in half of the processor's time."""
    places = (os.environ.get("YP_CHROMIUM"), shutil.which("chromium-headless-shell"),
              shutil.which("chromium"), "/usr/bin/chromium")
    return next((place for place in places if place and pathlib.Path(place).exists()), None)


class PageTest(JvmTest):
    major = min((major for major in JDKS if major >= 17), default=17)

    def report(self, *profiles, output):
        result = self.yp("report", *profiles, "-o", self.directory / output)
        if "without its page" in result.stderr:
            raise unittest.SkipTest("NOT TESTED: yp was built without npm")
        self.assertEqual(0, result.returncode, result.stderr)
        return self.directory / output

    def record(self, name, *options):
        profile = self.directory / name
        result = self.yp("run", *options, "-o", profile, "--", *self.compiler())
        self.assertEqual(0, result.returncode, result.stderr)
        return profile

    def test_pages_in_chromium(self):
        if chromium() is None or shutil.which("node") is None:
            raise unittest.SkipTest("NOT TESTED: there is no Chromium, or no node, here")
        jit = self.record("jit.yp", "--jit", "--budget", "3")
        again = self.record("again.yp", "--budget", "3", "--context", "tree")
        edges = self.record("edges.yp", "--mode", "edges")
        hostile = tiny.write(self.directory / "hostile.yp", config={"mode": "cbs"},
                             edges=[(None, -1, HOSTILE[0], 1, 5)] +
                                   [(HOSTILE[i], i, HOSTILE[i + 1], 1, 10 * i + 1) for i in range(4)])
        empty = tiny.write(self.directory / "empty.yp", config={"mode": "cbs"})
        for profile in (jit, edges, hostile, empty):
            self.report(profile, output=f"{profile.stem}.html")
        self.report(jit, "--sources", self.sources_of(self.directory / "jit.html"), output="sources.html")
        self.report(jit, again, output="compare.html")
        tests = subprocess.run(
            ["node", "--test", *map(str, sorted((UI / "e2e").glob("*.test.mjs")))], cwd=UI, text=True,
            capture_output=True, timeout=600, check=False,
            env={**os.environ, "YP_PAGES": str(self.directory), "YP_CHROMIUM": chromium()})
        failures = re.findall(r"^ *not ok .*?^ *\.\.\.$", tests.stdout, re.DOTALL | re.MULTILINE)
        self.assertEqual(0, tests.returncode, "\n".join(failures)[:20_000] + tests.stdout[-1_000:] +
                         tests.stderr[-2_000:])
        self.assertRegex(tests.stdout, r"pass [1-9]\d")

    def test_sources_stand_beside_the_calls(self):
        self.assertEqual(0, self.run_loop(1000).returncode)
        self.assertIsNone(self.data_of(self.report(self.profile, output="without.html"))["sources"])
        page = self.directory / "with.html"
        sources = pathlib.Path(__file__).parent / "testdata"
        result = self.yp("report", self.profile, "-o", page, "--sources", sources)
        self.assertEqual(0, result.returncode, result.stderr)
        self.assertRegex(result.stderr, r"sources: [1-9]\d* of \d+ files found")
        text = (sources / "Loop.java").read_text().splitlines()
        self.assertEqual(text, self.data_of(page)["sources"]["files"]["Loop.java"].splitlines())
        broken = self.directory / "broken.jar"
        broken.write_bytes(b"PK\3\4 and no more")
        result = self.yp("report", self.profile, "-o", self.directory / "b.html", "--sources", broken)
        self.assertEqual(2, result.returncode)
        self.assert_one_line(result.stderr, "broken.jar")

    def sources_of(self, page):
        """A folder with a file for each that the page's methods are of: its line 7 is "// 7"."""
        data, folder = self.data_of(page), self.directory / "made_sources"
        methods, strings = data["methods"], data["strings"]
        for type_name, file in set(zip(methods["class"], methods["file"])):
            if file < 0:
                continue
            package = strings[type_name].rpartition(".")[0]
            place = folder.joinpath(*package.split("."), strings[file])
            place.parent.mkdir(parents=True, exist_ok=True)
            first = f"package {package};" if package else "// 1"
            place.write_text(first + "\n" + "".join(f"// {line}\n" for line in range(2, 5001)))
        return folder

    @staticmethod
    def data_of(page):
        found = re.search(r'id="yp-data"[^>]*>([^<]*)</script>', page.read_text())
        return json.loads(gzip.decompress(base64.b64decode(found.group(1))))

    @contextlib.contextmanager
    def served(self, *arguments):
        """The host, port and path of a server's page."""
        process = self.start([self.yp_path, "serve", *arguments])
        address = process.stdout.readline().strip()
        self.assertRegex(address, r"^http://127\.0\.0\.1:\d+/[0-9a-f]{32}/$")
        host, _, path = address.removeprefix("http://").partition("/")
        yield host, "/" + path
        process.send_signal(signal.SIGTERM)
        self.assertEqual(0, process.wait(20))

    @staticmethod
    def ask(host, path, method="GET", **headers):
        connection = http.client.HTTPConnection(host, timeout=20)
        with contextlib.closing(connection):
            connection.request(method, path, headers=headers)
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read()

    def test_a_server_answers_who_knows_its_address(self):
        profile = tiny.write(self.directory / "hostile.yp", config={"mode": "cbs"},
                             edges=[(None, -1, HOSTILE[1], 1, 5)])
        self.report(profile, output="there_is_a_page.html")
        with self.served(profile) as (host, path):
            status, headers, page = self.ask(host, path)
            self.assertEqual(200, status)
            self.assertIn("default-src 'none'", headers["Content-Security-Policy"])
            self.assertNotIn(b"alert(2)", page)
            self.assertEqual(200, self.ask(host, path + "data")[0])
            self.assertEqual(404, self.ask(host, "/" + "0" * 32 + "/")[0])
            self.assertEqual(404, self.ask(host, path + "../../etc/passwd")[0])
            self.assertEqual(403, self.ask(host, path, Host="evil.example")[0])
            self.assertEqual(403, self.ask(host, path, Origin="http://evil.example")[0])
            self.assertEqual(405, self.ask(host, path, method="POST")[0])
            port = host.rpartition(":")[2]
            second = self.yp("serve", profile, "--port", port)
            self.assertEqual(2, second.returncode)
            self.assert_one_line(second.stderr.replace("yp: warning", ""), port)


if __name__ == "__main__":
    unittest.main(verbosity=2)
