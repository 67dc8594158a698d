"""`chatls` as a map step: lines of records go in, lines of what it says come out."""

import json
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor


def chatls(command, records, part=None):
    """Runs `command` (with `--records`) on an iterator of JSON lines and yields the lines that it prints, in their order.

    That something was found (status 1) is no failure. What could not be read (status 2) comes last, as lines
    `{"problem": …, "part": …}`, where `part` is whatever names these records. A command that dies raises.
    """
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=said)
        # It is fed while it is read: of two full pipes each would wait for the other.
        with ThreadPoolExecutor(1) as pool:
            fed = pool.submit(feed, process.stdin, records)
            try:
                for line in process.stdout:
                    yield line.decode().rstrip("\n")
                fed.result()
            except BaseException:  # also that nobody wants the rest
                process.kill()
                raise
            finally:
                process.stdout.close()
                status = process.wait()
        said.seek(0)
        if status not in (0, 1, 2):
            raise RuntimeError(f"{command} ended with status {status}: {said.read().decode()}")
        for line in said if status == 2 else ():
            yield json.dumps({"problem": line.decode().rstrip("\n").removeprefix("error: "), "part": part})


def feed(stdin, records):
    try:
        with stdin:
            for record in records:
                stdin.write(record.encode("utf-8", "replace") + b"\n")
    except BrokenPipeError:
        pass  # its status says why it ended


def record(path, content):
    """The bytes of a file as a record; of one that is not UTF-8, `chatls` says so by its path."""
    return json.dumps({"path": path, "text": content.decode("utf-8", "surrogateescape")})
