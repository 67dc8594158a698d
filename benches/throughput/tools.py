"""The tools that are timed: where each comes from, and how it is called on a folder of its own input.

They go into .cache/bench, at the versions that are named here: rumdl and ruff from PyPI, Biome from npm.
"""

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass

from corpora import ROOT

VERSIONS = {"rumdl": "0.3.0", "ruff": "0.17.6", "biome": "2.6.8"}
BIOME = "@biomejs/cli-linux-x64"


@dataclass
class Tool:
    name: str
    owner: str  # whose corpus it reads
    command: list  # but for the folder


def tools(chatls):
    """All of them, installed. They use as many threads as they are given processors."""
    bin, biome = install()
    # Biome keeps no cache. The width is that of the code, and the size that of the largest file.
    wide = ["--line-width=320", "--files-max-size=16777216"]
    return [
        Tool("chatls check", "chat", [chatls, "check"]),
        Tool("chatls calls", "chat", [chatls, "calls"]),
        Tool(f"rumdl check {VERSIONS['rumdl']}", "markdown", [bin / "rumdl", "check", "--no-cache", "--no-config"]),
        Tool(f"biome check {VERSIONS['biome']}", "web", [biome, "check", *wide]),
        Tool(f"ruff check {VERSIONS['ruff']}", "python", [bin / "ruff", "check", "--no-cache", "--isolated"]),
    ]


def install():
    python, node = ROOT / "python", ROOT / "node"
    wanted = " ".join(f"{name}=={number}" for name, number in VERSIONS.items())
    note = ROOT / "installed.txt"
    if not note.exists() or note.read_text() != wanted:
        for folder in (python, node):
            shutil.rmtree(folder, ignore_errors=True)
        print("installing rumdl, ruff and Biome …", file=sys.stderr, flush=True)
        run = {"check": True, "stdout": sys.stderr}
        subprocess.run([sys.executable, "-m", "venv", python], **run)
        pip = [python / "bin" / "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, *(f"{name}=={VERSIONS[name]}" for name in ("rumdl", "ruff"))], **run)
        npm = ["npm", "--prefix", node, "install", "--no-save", "--ignore-scripts", "--no-fund", "--no-audit"]
        node.mkdir(parents=True)
        subprocess.run([*npm, "--loglevel=error", f"{BIOME}@{VERSIONS['biome']}"], **run)
        note.write_text(wanted)
    biome = node / "node_modules" / BIOME / "biome"
    os.chmod(biome, 0o755)
    return python / "bin", biome
