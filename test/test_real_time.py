"""What code that runs in a step can reach at all, read off the library: no heap, no lock, no input or output, no clock.

The tests with counters (packages/stance_model/test/real_time) show what happens on the paths that were run. This one
looks at the object files: whatever they call outside stance is listed in their symbol tables, whether it ran or not.
Standard library and nm only.
"""
import os
import pathlib
import re
import shutil
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
INSTALL = pathlib.Path(os.environ.get("STANCE_INSTALL") or ROOT / "install")
LIBRARY = INSTALL / "stance_core" / "lib" / "libstance_core.a"

# Runs when a robot is loaded, and may fail, allocate and throw.
LOAD_TIME = {"build_model.cpp.o", "plant_settings.cpp.o", "schedule.cpp.o", "find_schedule.cpp.o", "memory.cpp.o",
             "close_pose.cpp.o"}
# Threads that work together, for those who make a crew of them: no step does.
THREADS = {"crew.cpp.o", "crew_dynamics.cpp.o"}
# Pure functions of their arguments, and what the compiler puts in by itself.
ARITHMETIC = {"sin", "cos", "sincos", "tan", "atan2", "acos", "asin", "atan", "sqrt", "pow", "exp", "log", "log2", "log10",
              "remainder", "fmod", "floor", "ceil", "nearbyint", "round", "rint", "hypot", "fma", "ldexp", "frexp", "lround", "llround", "nan"}
MEMORY = {"memcpy", "memmove", "memset", "memcmp", "bcmp", "strlen"}
# Hand events and states to other threads and take their wishes, by atomics that wait for nobody (one exchange, no loop).
WITH_ATOMICS = {"lock_step.cpp.o"}
# Where atomics may stand in the sources: those, and what they are made of.
ATOMIC_SOURCES = {"base/spsc_ring.hpp", "base/latest.hpp", "plant/simulation_clock.hpp", "plant/lock_step.hpp", "plant/lock_step.cpp",
                  "base/crew.hpp", "base/crew.cpp", "assembly/crew_dynamics.hpp", "assembly/crew_dynamics.cpp"}
# A lock made of atomics is taken by an instruction that reads and writes memory at once, and waits in a loop that often
# tells the processor so. x86-64: a lock prefix, an exchange with memory (which locks by itself), pause. AArch64: exclusive
# loads and stores, the atomics of 8.1, yield and wfe.
LOCKING = re.compile(r"\tlock\b|\txchg[a-z]*\s.*\(|\tpause\b|\txbegin\b"
                     r"|\t(ld|st)a?l?xrb?h?\b|\tldaxp\b|\tstlxp\b|\t(cas|swp|ldadd|ldset|ldclr|ldeor)(a|l|al)?[bh]?\b|\tyield\b|\twfe\b")
COMPILER = {"_GLOBAL_OFFSET_TABLE_", "__stack_chk_fail", "__stack_chk_guard", "__popcountdi2",
            # which instructions the processor has, looked up by the loader or from a table filled before main
            "__cpu_model", "__cpu_indicator_init", "__cpu_features2",
            # what a class with virtual functions says of itself: data, which nothing on the path reads
            "_ZTVN10__cxxabiv117__class_type_infoE", "_ZTVN10__cxxabiv120__si_class_type_infoE",
            # a noexcept function that is left by an exception ends the program; nothing here throws
            "_ZSt9terminatev", "__gxx_personality_v0", "__cxa_begin_catch", "__clang_call_terminate"}


def symbols_of(library, which):
    """{object file: its symbols}, of those that the option of nm asks for"""
    listing = subprocess.run(["nm", which, "--format=posix", str(library)], capture_output=True, text=True, check=True)
    symbols, name = {}, ""
    for line in listing.stdout.splitlines():
        head = re.match(r".*\[(.+)\]:$", line)
        if head:
            name = head.group(1)
            symbols[name] = set()
        elif line.strip():
            symbols[name].add(line.split()[0].split("@")[0])
    return symbols


@unittest.skipUnless(LIBRARY.is_file(), f"{LIBRARY} is not there: build with static libraries, or set STANCE_INSTALL")
@unittest.skipUnless(shutil.which("nm"), "nm is not installed")
class TestReach(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.symbols = symbols_of(LIBRARY, "--undefined-only")
        if any(re.match("__(a|t|m|ub)san_", symbol) for found in cls.symbols.values() for symbol in found):
            raise unittest.SkipTest("a sanitizer has put its own calls into the library")

    def test_a_step_reaches_nothing_but_arithmetic(self):
        known = ARITHMETIC | MEMORY | COMPILER
        for name, found in sorted(self.symbols.items()):
            if name in LOAD_TIME | THREADS:
                continue
            with self.subTest(object=name):
                foreign = {s for s in found if not s.startswith(("_ZN6stance", "_ZNK6stance", "_ZTIN6stance"))}
                self.assertEqual(foreign - known, set(),
                                 f"{name} calls these. If it runs at load time only, add it to LOAD_TIME")

    @unittest.skipUnless(shutil.which("objdump"), "objdump is not installed")
    def test_a_step_takes_no_lock_of_atomics(self):
        listing = subprocess.run(["objdump", "--disassemble", "--no-show-raw-insn", str(LIBRARY)], capture_output=True, text=True, check=True)
        locking, instructions, name = {}, 0, ""
        for line in listing.stdout.splitlines():
            head = re.match(r"(\S+\.o):\s+file format", line)
            if head:
                name = head.group(1)
            elif "\t" in line:
                instructions += 1
                if LOCKING.search(line):
                    locking.setdefault(name, []).append(line.strip())
        self.assertGreater(instructions, 10000)
        for name, lines in locking.items():
            self.assertIn(name, WITH_ATOMICS | LOAD_TIME | THREADS, f"{name} has {lines[0]}, which a lock of atomics is made of")
        # the control: the exchange that is there is seen
        self.assertLessEqual(WITH_ATOMICS, set(locking))

    def test_nothing_compiled_for_a_better_processor_is_used_by_the_others(self):
        # The linker keeps one of the functions of one name. Had an inline function been compiled in avx512.cpp as a
        # function, that could be the one everybody calls, and a processor without AVX-512 would stop there.
        defined = symbols_of(LIBRARY, "--defined-only")
        for name, tag in (("avx2.cpp.o", "4Avx2"), ("avx512.cpp.o", "6Avx512")):
            if name not in defined:
                continue
            with self.subTest(object=name):
                self.assertTrue(any(tag in symbol for symbol in defined[name]))
                self.assertEqual({s for s in defined[name] if s.startswith("_Z") and tag not in s and "kKernels" not in s}, set())

    def test_the_list_is_read(self):
        self.assertIn("aba.cpp.o", self.symbols)
        self.assertIn("simulator.cpp.o", self.symbols)
        # the control: what may allocate is seen to
        self.assertIn("_Znwm", self.symbols["build_model.cpp.o"])
        self.assertLessEqual(LOAD_TIME | THREADS, set(self.symbols))

    def test_no_step_reaches_the_threads(self):
        """The simulator and all it calls do without the objects that wait for other threads."""
        defined = symbols_of(LIBRARY, "--defined-only")
        waits = set().union(*(defined[name] for name in THREADS))
        for name, found in sorted(self.symbols.items()):
            if name not in THREADS:
                self.assertEqual({symbol for symbol in found & waits if "Crew" in symbol or "Patience" in symbol}, set(), name)

class TestSources(unittest.TestCase):
    def test_atomics_stand_where_they_are_known(self):
        """A loop that only reads until another thread writes has no special instruction: it needs an atomic all the same."""
        package = ROOT / "packages/stance_core"
        found = set()
        for folder in (package / "include/stance_core", package / "src"):
            for path in folder.rglob("*.[ch]pp"):
                code = re.sub(r"//.*", "", path.read_text(encoding="utf-8"))
                if re.search(r"\batomic|\bvolatile\b|__sync_|__atomic_|_mm_pause|\bthread\b|\bmutex\b", code):
                    found.add(path.relative_to(folder).as_posix())
        self.assertLessEqual(found, ATOMIC_SOURCES, "if these are never under a step, add them to ATOMIC_SOURCES")
        self.assertIn("base/spsc_ring.hpp", found)


if __name__ == "__main__":
    unittest.main()
