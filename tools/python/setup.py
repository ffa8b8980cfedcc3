# SPDX-License-Identifier: MIT
"""setup.py - builds the C library of the package `acre` with the C compiler of the machine ($CC, or cc)."""
import os
import platform
import shlex
import subprocess
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py
from wheel.bdist_wheel import bdist_wheel

HERE = Path(__file__).resolve().parent
FLAGS = "-std=gnu17 -O3 -DNDEBUG -fPIC -shared -fvisibility=default -pthread -s"
# One library for each instruction set; acre/library.py loads the widest that the processor has.
SETS = {"base": ""}
if platform.machine() in ("x86_64", "AMD64"):
    SETS.update(avx2="-march=x86-64-v3", avx512="-march=x86-64-v4")


class BuildLibraries(build_py):
    """Also compiles src."""

    def run(self):
        super().run()
        folder = Path(self.build_lib, "acre")
        folder.mkdir(parents=True, exist_ok=True)
        sources = sorted(str(path) for path in HERE.glob("src/*.c"))
        for name, flags in SETS.items():
            command = [*shlex.split(os.environ.get("CC", "cc")), *shlex.split(FLAGS), *shlex.split(flags),
                       *shlex.split(os.environ.get("CFLAGS", "")), "-I", str(HERE / "src"), *sources,
                       "-o", str(folder / f"_acre_{name}.so"), "-lm"]
            print(shlex.join(command), flush=True)
            subprocess.run(command, check=True)


class PlatformWheel(bdist_wheel):
    """For any Python 3 of this platform: the library knows nothing of Python."""

    def get_tag(self):
        return "py3", "none", super().get_tag()[2]


class BinaryDistribution(Distribution):
    def has_ext_modules(self):
        return True


setup(
    name="acre-culling",
    version=(HERE / "VERSION").read_text(encoding="ascii").strip(),
    description="A loose quadtree for numpy: boxes that move, and what is in view, near, hit or touching.",
    long_description=(HERE / "README.md").read_text(encoding="utf-8"),
    long_description_content_type="text/markdown",
    license="MIT",
    license_files=["LICENSE"],
    python_requires=">=3.9",
    install_requires=["numpy"],
    packages=["acre"],
    package_data={"acre": ["py.typed"]},
    cmdclass={"build_py": BuildLibraries, "bdist_wheel": PlatformWheel},
    distclass=BinaryDistribution,
)
