import collections
import http.server
import subprocess
import sys
import threading
import unittest

from eval.workloads.manifest import FOLDER


class Service(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = 65536  # One packet for each answer

    def do_GET(self):
        self.server.targets[self.path] += 1
        body = f"{self.server.prefix}{self.path}".encode("ascii")
        self.send_response(self.server.status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


class Load(unittest.TestCase):
    """The clients of the HTTP service, against a service that counts what it is asked."""

    def load(self, status=200, prefix=""):
        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Service) as server:
            server.daemon_threads = True
            server.status, server.prefix = status, prefix
            server.targets = collections.Counter()
            thread = threading.Thread(target=server.serve_forever)
            thread.start()
            try:
                result = subprocess.run(
                    [sys.executable, FOLDER / "inputs" / "load.py", str(server.server_port), "3",
                     "20", "5", "100", "60"], capture_output=True, text=True, check=False)
            finally:
                server.shutdown()
                thread.join()
            return result, server.targets

    def test_both_sides_count_the_same_requests(self):
        result, targets = self.load()
        answers, checksum = result.stdout.split()
        self.assertEqual((60, "60"), (targets.total(), answers))
        self.assertRegex(checksum, "^[0-9a-f]{16}$")
        accounts = {int(target.split("account=")[1].split("&")[0]) for target in targets}
        self.assertEqual(set(range(15)), accounts)  # Five for each of three clients.

    def test_the_checksum_is_that_of_the_answers(self):
        first, again, other = (self.load(prefix=prefix)[0].stdout for prefix in ("a", "a", "b"))
        self.assertEqual(first, again)
        self.assertNotEqual(first, other)

    def test_an_answer_of_another_kind_ends_it(self):
        result, _ = self.load(status=500)
        self.assertEqual((1, ""), (result.returncode, result.stdout))
        self.assertIn("500", result.stderr)


if __name__ == "__main__":
    unittest.main()
