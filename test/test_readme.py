"""The README keeps its word: its C++ is compiled as it is printed, and run.

Needs the installed packages, $STANCE_INSTALL or install/, and the compiler that built them. Standard library only.
"""
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
INSTALL = pathlib.Path(os.environ.get("STANCE_INSTALL") or ROOT / "install").resolve()
PROJECT = """cmake_minimum_required(VERSION 3.16)
project(readme LANGUAGES CXX)
find_package(stance_model 0.1 REQUIRED)
add_executable(readme readme.cpp)
target_link_libraries(readme PRIVATE stance_model::stance_model)
target_compile_options(readme PRIVATE -Wall -Wextra -Werror)
"""


def how_it_was_built():
    """Compiler and flags of the build beside the installation, so that a sanitized library gets a sanitized program."""
    cache = INSTALL.parent / "build/stance_core/CMakeCache.txt"
    if not cache.exists():
        return []
    names = ("CMAKE_CXX_COMPILER", "CMAKE_CXX_FLAGS", "CMAKE_BUILD_TYPE", "CMAKE_EXE_LINKER_FLAGS")
    return ["-D" + line for line in cache.read_text(encoding="utf-8").split("\n") if line.split(":")[0] in names]


@unittest.skipUnless((INSTALL / "stance_model").is_dir(), f"{INSTALL} holds no stance_model; run make build")
@unittest.skipUnless(shutil.which("cmake"), "needs cmake")
class TestReadme(unittest.TestCase):
    def test_its_cpp_compiles_and_runs(self):
        folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        snippets = re.findall(r"^```cpp\n(.*?)^```$", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
        self.assertEqual(len(snippets), 1)
        (folder / "readme.cpp").write_text(snippets[0], encoding="utf-8")
        (folder / "CMakeLists.txt").write_text(PROJECT, encoding="utf-8")
        prefixes = ";".join(str(INSTALL / package) for package in ("stance_core", "stance_model"))
        for command in (["cmake", "-S", folder, "-B", folder / "build", f"-DCMAKE_PREFIX_PATH={prefixes}", *how_it_was_built()],
                        ["cmake", "--build", folder / "build"]):
            done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=600)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        # where there is no such file it says so, and does not abort
        done = subprocess.run([str(folder / "build/readme")], cwd=folder, capture_output=True, text=True, timeout=60)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertRegex(done.stderr, r"^file 'quadruped\.urdf': does not exist")
        done = subprocess.run([str(folder / "build/readme")], cwd=ROOT / "urdf", capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"^ok: the trunk hangs on one foot")

class TestPages(unittest.TestCase):
    def test_links_lead_somewhere(self):
        pages = [path for pattern in ("*.md", "config/*.md", "urdf/*.md", "packages/*/*.md", "packages/*/doc/*.md")
                 for path in ROOT.glob(pattern)]
        self.assertGreater(len(pages), 10)
        for page in pages:
            for target in re.findall(r"\]\((?!https?:|#)([^)#]+)", page.read_text(encoding="utf-8")):
                self.assertTrue((page.parent / target).exists(), f"{page.relative_to(ROOT)} leads to {target}")

    def test_every_file_of_config_is_told_of(self):
        text = (ROOT / "config/README.md").read_text(encoding="utf-8")
        for path in (ROOT / "config").iterdir():
            name = path.name + "/" if path.is_dir() else path.name
            if name != "README.md":
                self.assertIn(f"`{name}`", text)


if __name__ == "__main__":
    unittest.main()
