"""Becomes the program: what it reads, writes and ends with is its own."""

import os
import subprocess
import sys

import chatls


def main() -> int:
    try:
        command = [chatls.find(), *sys.argv[1:]]
    except FileNotFoundError as error:
        print(error, file=sys.stderr)
        return 2
    if os.name != "nt":
        os.execv(command[0], command)
    # Windows cannot replace a process: it would go on beside a shell that no longer waits for it.
    try:
        return subprocess.run(command).returncode
    except KeyboardInterrupt:
        return 2


if __name__ == "__main__":
    sys.exit(main())
