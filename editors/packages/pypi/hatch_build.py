"""Makes the wheel one of a platform, with the program among the scripts that pip puts on PATH."""

import os
import pathlib

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CarryProgram(BuildHookInterface):
    """CHATLS_WHEEL_PLATFORM names the platform; the program is the one file in the folder `program`."""

    def initialize(self, version, build_data):
        if version != "standard":
            raise RuntimeError("there is nothing to edit here: install the wheel")
        (program,) = pathlib.Path(self.root, "program").iterdir()
        build_data["pure_python"] = False
        build_data["tag"] = "py3-none-" + os.environ["CHATLS_WHEEL_PLATFORM"]
        build_data["shared_scripts"] = {str(program): program.name}
