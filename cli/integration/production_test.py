"""Recordings of a service that goes on: yp status, start, stop, dump and budget under load, parts,
and what a JVM that was killed, or another version of the agent, leaves behind."""

import http.client
import json
import os
import pathlib
import shutil
import subprocess
import threading

from support import main

CALLS = 1000  # Service.CALLS
ANSWERS = {"/count": str(sum(i * 31 + 7 for i in range(CALLS))),
           "/load": str(sum(i * 17 + 3 for i in range(CALLS)))}
ROUNDS = 10
AGENT = pathlib.Path(os.environ["YP_PROGRAM"]).parents[1] / "hotspot/libyieldpoint.so"


class Client:
    """Requests, one after the other, over one connection."""

    def __init__(self, port):
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)

    def request(self, path):
        """Whether the answer is right."""
        self.connection.request("GET", path)
        return self.connection.getresponse().read().decode() == ANSWERS[path]


class Load:
    """Requests from two threads until the end."""

    def __init__(self, port):
        self.port, self.ended = port, threading.Event()
        self.served, self.failures = 0, []
        self.threads = [threading.Thread(target=self._run) for _ in range(2)]

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.ended.set()
        for thread in self.threads:
            thread.join()

    def _run(self):
        client = Client(self.port)
        while not self.ended.wait(0.002):
            try:
                if not client.request("/load"):
                    self.failures.append("a wrong answer")
                self.served += 1
            except OSError as error:
                self.failures.append(str(error))
                client = Client(self.port)
        client.connection.close()


class Production:
    def serve(self, *options):
        """A service; its process and a client."""
        process = self.start([self.java, "-XX:+UseSerialGC", "-Xmx96m", *options, "-cp",
                              self.classes, "Service"], stdin=subprocess.PIPE)
        client = Client(int(process.stdout.readline()))
        self.addCleanup(client.connection.close)
        return process, client

    def end(self, process):
        """Ends the service; what it has written."""
        output = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0, output)
        return output

    def agent(self, options, library=AGENT):
        return f"-agentpath:{library}=spool={self.directory}/%p-%t.yp-spool,{options}"

    def ok(self, *arguments):
        """yp's one line."""
        result = self.yp(*arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(len(result.stdout.splitlines()), 1, result.stdout)
        return result.stdout

    def json_of(self, *arguments):
        result = self.yp(*arguments, "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)

    def refused(self, *arguments):
        result = self.yp(*arguments)
        self.assertEqual(result.returncode, 2, result.stdout)
        self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
        return result.stderr

    def count(self, client, times):
        for _ in range(times):
            self.assertTrue(client.request("/count"))

    def assert_counted(self, times, *files):
        """That all files together have exactly the calls of so many requests."""
        profile = files[0]
        if len(files) > 1:
            profile = self.directory / "merged.yp"
            self.ok("merge", *files, "-o", profile)
        edges = self.edges(profile)
        self.assertEqual(edges.get(("count", "leaf"), 0), times * CALLS)
        self.assertEqual(sum(calls for (_, callee), calls in edges.items() if callee == "count"),
                         times)

    def test_ten_rounds_of_commands_on_a_loaded_service(self):
        process, client = self.serve()
        pid = process.pid
        self.assertIn("nothing is recorded", self.ok("status", pid))
        self.assertIn("no agent in JVM", self.refused("dump", pid))
        self.assertFalse(os.path.exists(self.directory / "d.yp"))
        with Load(client.connection.port) as load:
            for number in range(ROUNDS):
                is_exact = number % 2 == 0
                mode = ["--mode", "exact"] if is_exact else []
                self.assertIn("recording", self.ok("start", pid, *mode, "--loop", "1h"))
                self.count(client, 20)
                status = self.json_of("status", pid)
                self.assertEqual(status["state"], "recording")
                self.assertEqual(status["lost"], {})
                self.ok("dump", pid, "-o", "d.yp")
                self.count(client, 10)
                stopped = self.json_of("stop", pid)
                self.assertEqual(stopped["state"], "stopped")
                self.count(client, 5)  # Not recorded.
                if is_exact:
                    self.assertGreater(status["counted_calls"], 20 * CALLS)
                    self.assert_counted(20, self.directory / "d.yp")
                    self.assert_counted(30, stopped["spool"])
                self.assertTrue(self.json_of("info", stopped["spool"])["complete"])
            self.assertIn("under way", self.refused("stop", pid))
            # Another one like the last: without exact counting.
            self.assertIsNone(self.json_of("start", pid)["counted_calls"])
            self.assertIn("a recording is under way", self.refused("start", pid))
            self.assertEqual(self.json_of("budget", pid, 1)["budget_percent"], 1)
            self.assertIn("above 0", self.refused("budget", pid, 0))
        self.assertEqual(load.failures, [])
        self.assertGreater(load.served, 100)
        self.assertEqual(len(self.spools()), ROUNDS + 1)
        self.assertRegex(self.end(process)[1], r"^(WARNING: [^\n]*\n)*$")

    def test_parts_are_whole_and_have_each_call_once(self):
        process, client = self.serve(self.agent("mode=exact,loop=1s,keep=100"))
        requests = 0
        with Load(client.connection.port) as load:
            while len(self.spools()) < 4:
                self.count(client, 10)
                requests += 10
            status = self.json_of("status", process.pid)
            self.assertEqual(len(status["parts"]), status["part"])
            self.json_of("dump", process.pid, "-o", "d.yp")
            self.assert_counted(requests, self.directory / "d.yp")
            stopped = self.json_of("stop", process.pid)
        self.assertEqual(load.failures, [])
        parts = [str(part) for part in self.spools()]
        self.assertEqual(stopped["parts"], parts)
        self.assert_counted(requests, *parts)
        in_parts = [self.edges(part).get(("count", "leaf"), 0) for part in parts]
        self.assertEqual(sum(in_parts), requests * CALLS)
        for part in parts:
            info = self.json_of("info", part)
            self.assertTrue(info["complete"])
            self.assertEqual(info["config"]["command"], "Service")
            self.assertLess(info["duration_ns"], 60e9)
        # The last of three, without the one between.
        result = self.yp("merge", parts[0], parts[2], "-o", "two.yp")
        self.assertIn("parts are missing", result.stderr)
        self.assertIn("it is the same as", self.refused("merge", parts[0], parts[0], "-o", "x.yp"))

    def test_sampled_parts_estimate_all_calls_together(self):
        apart = [f"-XX:CompileCommand=dontinline,Service.{name}" for name in ("count", "leaf")]
        process, client = self.serve(
            "-XX:CompileCommand=quiet", *apart, "-XX:+UnlockDiagnosticVMOptions",
            "-XX:+DebugNonSafepoints", self.agent("loop=1s,keep=100,budget_ppm=0,interval=101"))
        requests = 0
        while len(self.spools()) < 4:
            self.count(client, 50)
            requests += 50
        self.end(process)
        parts = self.spools()
        self.ok("merge", *parts, "-o", self.profile)
        calls = self.edges()[("count", "leaf")]
        self.assertAlmostEqual(calls / (requests * CALLS), 1, delta=0.1)
        # The VM has counted what was interpreted: in each part what was new in it, and no more.
        alone = [self.edges(part).get(("count", "leaf"), 0) for part in parts]
        self.assertAlmostEqual(sum(alone) / (requests * CALLS), 1, delta=0.1)

    def test_only_so_many_parts_stay_also_of_jvms_that_were_killed(self):
        options = (f"-agentpath:{AGENT}=spool={self.directory}/app-%t.yp-spool,loop=1s,keep=2,"
                   "mode=exact")
        process, client = self.serve(options)
        seen = set()
        while len(seen) < 4:
            self.count(client, 5)
            seen |= set(self.spools())
        # A new part is there before the oldest goes.
        self.wait_for(lambda: len(self.spools()) <= 2, "the oldest part's end")
        process.kill()
        process.wait()
        left = self.spools()
        self.assertGreater(sum(sum(self.edges(part).values()) for part in left), 0)
        process, client = self.serve(options)
        self.wait_for(lambda: len([f for f in self.spools() if f not in left]) == 2, "two parts")
        self.wait_for(lambda: len(self.spools()) <= 2, "the others' end")

    def test_an_agent_whose_file_was_replaced_goes_on(self):
        library = self.directory / "libyieldpoint.so"
        shutil.copy(AGENT, library)
        process, client = self.serve(self.agent("loop=1h,mode=exact", library))
        self.count(client, 5)
        replaced = self.directory / "new.so"
        shutil.copy(AGENT, replaced)
        os.replace(replaced, library)
        self.assertEqual(self.json_of("status", process.pid)["state"], "recording")
        # Another one that is loaded besides, by another tool, does nothing.
        jcmd = pathlib.Path(self.java).parent / "jcmd"
        subprocess.run([jcmd, str(process.pid), "JVMTI.agent_load", AGENT,
                        f'"spool={self.directory}/other"'], check=True, capture_output=True)
        self.count(client, 5)
        self.assertEqual(self.json_of("status", process.pid)["state"], "recording")
        attached = self.yp("attach", process.pid, "-d", "1", "-o", "a.yp")
        self.assertEqual(attached.returncode, 2)
        stopped = self.json_of("stop", process.pid)
        self.assert_counted(10, stopped["spool"])
        self.assertRegex(self.end(process)[1], "yieldpoint: another libyieldpoint.so is in this JVM")

    def test_mistakes_are_one_line_that_says_what_to_do(self):
        self.assertIn("list the JVMs", self.refused("status", 4194304))
        self.assertIn("is no JVM", self.refused("status", os.getpid()))
        process, _ = self.serve()
        self.assertIn("%t", self.refused("start", process.pid, "--loop", "1h", "--spool", "a"))
        self.assertIn("cannot create the spool",
                      self.refused("start", process.pid, "--spool", "/no/such/folder/a"))
        self.assertIn("--loop", self.refused("start", process.pid, "--maxsize", "10m"))
        self.assertEqual(self.json_of("status", process.pid)["state"], "none")
        # What was refused is told to who asked, not to the program.
        stdout, stderr = self.end(process)
        self.assertNotIn("yieldpoint:", stderr)
        self.assertNotIn("Full thread dump", stdout)


if __name__ == "__main__":
    main(Production)
