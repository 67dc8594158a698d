"""chatls, a language server for chat documents. `python -m chatls` starts it."""

import os
import sys
import sysconfig

__all__ = ["find"]


def find() -> str:
    """Returns the path of the program that this package carries."""
    name = "chatls" + (sysconfig.get_config_var("EXE") or "")
    for folder in _folders():
        path = os.path.join(folder, name)
        if os.path.isfile(path):
            return path
    raise FileNotFoundError(
        "chatls: the program is missing from this installation; `pip install --force-reinstall chatls` puts it back"
    )


def _folders():
    """Where pip puts scripts: environments, then `--user`, then `--target` and `--prefix`."""
    yield sysconfig.get_path("scripts")
    if sys.version_info >= (3, 10):
        user = sysconfig.get_preferred_scheme("user")
    else:
        user = {"nt": "nt_user", "posix": "posix_user"}[os.name]
    yield sysconfig.get_path("scripts", scheme=user)
    packages = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    yield os.path.join(packages, "bin")
    if os.path.basename(packages) in ("site-packages", "dist-packages"):
        up, scripts = ("../..", "Scripts") if os.name == "nt" else ("../../..", "bin")
        yield os.path.normpath(os.path.join(packages, up, scripts))
