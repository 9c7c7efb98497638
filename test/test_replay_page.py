"""The page of a run, as a browser shows it: it opens without a network and a complaint, plays, goes to events, and its plots
follow. In a headless Chromium, where there is one; the program is $STANCE, or install/stance_cli/bin/stance.
"""
import csv
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import browser

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = os.environ.get("STANCE") or str(ROOT / "install/stance_cli/bin/stance")
CHROMIUM = browser.find_chromium()
# where pictures of the pages are left, to be looked at
PICTURES = os.environ.get("STANCE_PICTURES")


def stance(*arguments, **more):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, errors="replace", timeout=300, **more)


def rectangle(selector):
    return f"(({{x, y, width, height}}) => ({{x, y, width, height}}))(document.querySelector('{selector}').getBoundingClientRect())"


@unittest.skipUnless(shutil.which(PROGRAM), f"{PROGRAM} is not built; run make build, or set STANCE")
class PageCase(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)

    def walk(self, name, *more):
        """The page of a scenario."""
        out = self.folder / name
        if not (out / "replay.html").exists():
            done = stance("run", ROOT / "config" / f"{name}.yaml", "--duration", "5s", "--quiet", "--out", out, *more)
            self.assertIn(done.returncode, (0, 3), done.stderr)  # 3: it fell
        return out / "replay.html"

    def ready(self, tab, page, fragment=""):
        tab.open(page, fragment)
        tab.wait("typeof stanceReplay !== 'undefined' && stanceReplay.frame !== undefined")
        tab.settle()

    def keep(self, tab, name):
        if PICTURES:
            tab.screenshot(pathlib.Path(PICTURES) / f"{name}.png")


class TestFiles(PageCase):
    def test_is_one_small_file(self):
        page = self.walk("compass")
        text = page.read_text(encoding="utf-8")
        self.assertLess(len(text), 2_000_000)
        self.assertNotIn('src="', text.replace('src="data:', ""))

    def test_view_says_where_it_is_and_makes_it_anew(self):
        page = self.walk("compass")
        done = stance("view", page.parent, "--no-open")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, f"{page.resolve()}\n", ""))
        before = page.read_bytes()
        page.write_bytes(before.replace(b"</style>", b"p { color: red } </style>"))
        self.assertEqual(stance("view", page.parent, "--no-open", "--rebuild").returncode, 0)
        self.assertEqual(page.read_bytes(), before)

    @unittest.skipUnless(sys.platform == "linux", "xdg-open is what Linux has")
    def test_view_opens_a_browser(self):
        page = self.walk("compass")
        programs = self.folder / "programs"
        programs.mkdir()
        opener = programs / "xdg-open"
        environment = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}"}
        for exit_code, told in ((0, ""), (3, "stance: note: no browser could be opened; open that file in one\n")):
            opener.write_text(f'#!/bin/sh\necho "$1" > {programs}/opened\nexit {exit_code}\n', encoding="utf-8")
            opener.chmod(0o755)
            done = stance("view", page.parent, env=environment)
            self.assertEqual((done.returncode, done.stderr), (0, told))
            self.assertEqual(pathlib.Path((programs / "opened").read_text(encoding="utf-8").strip()).resolve(), page.resolve())
            (programs / "opened").unlink()

    def test_view_says_what_is_wrong(self):
        folder = self.folder / "wrong"
        folder.mkdir()
        for arguments, told in (
                ([self.folder / "nowhere"], "is no directory; give the one that stance run --out wrote"),
                ([folder], "holds no replay.html"),
                ([folder, "--scenario", ROOT / "config/compass.yaml"], "trajectory.csv: cannot be read")):
            done = stance("view", *arguments, "--no-open")
            self.assertEqual(done.returncode, 1)
            self.assertIn(told, done.stderr)
        (folder / "replay.html").write_text("<html></html>", encoding="utf-8")
        done = stance("view", folder, "--no-open", "--rebuild")
        self.assertEqual(done.returncode, 1)
        self.assertIn("holds no motion", done.stderr)
        self.assertEqual((folder / "replay.html").read_text(encoding="utf-8"), "<html></html>")
        (folder / "trajectory.csv").write_text("time,q.knee\n0,1\n", encoding="utf-8")
        done = stance("view", folder, "--no-open", "--scenario", ROOT / "config/compass.yaml")
        self.assertEqual(done.returncode, 1)
        self.assertIn("has no column", done.stderr)

    def test_no_page_where_none_is_asked_for(self):
        path = self.folder / "tables.yaml"
        text = (ROOT / "config/compass.yaml").read_text(encoding="utf-8").replace("../urdf", str(ROOT / "urdf"))
        asked = "strip, timeline, replay]"
        self.assertIn(asked, text)
        path.write_text(text.replace(asked, "strip, timeline]"), encoding="utf-8")
        out = self.folder / "tables"
        self.assertEqual(stance("run", path, "--steps", 3, "--out", out).returncode, 0)
        self.assertFalse((out / "replay.html").exists())
        # and made from its tables later
        done = stance("view", out, "--no-open", "--scenario", path)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn('"touchdown"', (out / "replay.html").read_text(encoding="utf-8"))


@unittest.skipUnless(CHROMIUM, "there is no Chromium here, so the page is not tested in a browser")
class TestBrowser(PageCase):
    def has_view(self, page):
        return '<script data-part="view">' in page.read_text(encoding="utf-8")

    def test_every_scenario_opens_and_moves(self):
        scenarios = sorted(path.stem for path in (ROOT / "config").glob("*.yaml"))
        self.assertGreaterEqual(len(scenarios), 5)
        with browser.Browser() as tab:
            for name in scenarios:
                with self.subTest(scenario=name):
                    page = self.walk(name)
                    self.ready(tab, page)
                    size = tab.evaluate("[stanceReplay.motion.count, stanceReplay.motion.bodies.length, stanceReplay.end]")
                    self.assertGreater(size[0], 50)
                    area = tab.evaluate(rectangle("#stage" if self.has_view(page) else "#plots"))
                    first = tab.screenshot(box=area)
                    self.assertGreater(first.colors(), 50, "the view is blank")
                    tab.evaluate("stanceReplay.seek(0.47 * stanceReplay.end)")
                    tab.settle()
                    self.keep(tab, name)
                    self.assertGreater(first.difference(tab.screenshot(box=area)), 300, "nothing moved")
                    self.assertEqual(tab.complaints(), [])

    def test_plays_and_goes_to_events(self):
        page = self.walk("compass")
        with open(page.parent / "events.csv", encoding="utf-8") as table:
            events = sorted({float(row["time"]) for row in csv.DictReader(table)})
        with browser.Browser() as tab:
            self.ready(tab, page, "#t=0.2")
            now = "stanceReplay.t"
            self.assertAlmostEqual(tab.evaluate(now), 0.2)
            stage = tab.evaluate(rectangle("#stage" if self.has_view(page) else "#plots"))
            for key in "acumf":  # the robot alone, before a camera that stands
                tab.key(key)
            tab.settle()
            before = tab.screenshot(box=stage)
            tab.key(" ")
            tab.wait(f"{now} > 0.5")
            tab.key(" ")
            tab.settle()
            stopped = tab.evaluate(now)
            self.assertGreater(before.difference(tab.screenshot(box=stage)), 300, "the animation does not move")
            tab.settle()
            self.assertEqual(tab.evaluate(now), stopped)
            # one event after the other, there and back, to half of the 1e-9 s that the page keeps
            tab.key("Home")
            tab.key("n")
            first = [t for t in events if t > 1e-6]
            self.assertAlmostEqual(tab.evaluate(now), first[0], delta=6e-10)
            tab.key("n")
            self.assertAlmostEqual(tab.evaluate(now), first[1], delta=6e-10)
            self.assertIn("touchdown", tab.evaluate("document.getElementById('event').textContent"))
            tab.key("p")
            self.assertAlmostEqual(tab.evaluate(now), first[0], delta=6e-10)
            # in slow motion it takes longer to go as far round an event
            tab.evaluate(f"stanceReplay.seek({first[1]} - 0.04)")
            tab.evaluate("document.getElementById('slow').click()")
            times = tab.evaluate("""(async () => {
                const start = performance.now(), from = stanceReplay.t;
                stanceReplay.play();
                await new Promise(done => setTimeout(done, 300));
                stanceReplay.pause();
                return [(stanceReplay.t - from), (performance.now() - start) / 1000];
            })()""")
            self.assertGreater(times[0], 0)
            self.assertLess(times[0], 0.3 * times[1])
            tab.key("End")
            tab.key("ArrowLeft")
            self.assertLess(tab.evaluate(now), tab.evaluate("stanceReplay.end"))
            self.assertEqual(tab.complaints(), [])

    def test_plots_and_view_share_one_cursor(self):
        page = self.walk("compass")
        with browser.Browser() as tab:
            self.ready(tab, page)
            panels = tab.evaluate("stanceReplay.panels.length")
            self.assertEqual(panels, 4)
            boxes = [tab.evaluate(rectangle(f".plot:nth-child({k + 1}) canvas")) for k in range(panels)]
            for box in boxes:
                self.assertGreater(tab.screenshot(box=box).colors(), 8, "a plot is blank")
            before = [tab.screenshot(box=box) for box in boxes]
            stage = tab.evaluate(rectangle("#stage"))
            still = tab.screenshot(box=stage)
            # drag in the first plot to three quarters of it
            box = boxes[0]
            y = box["y"] + box["height"] / 2
            tab.drag([(box["x"] + 100, y), (box["x"] + 200, y), (box["x"] + 0.75 * box["width"], y)])
            tab.settle()
            t = tab.evaluate("stanceReplay.t")
            self.assertAlmostEqual(t, tab.evaluate(f"stanceReplay.panels[0].plot.timeAt({0.75 * box['width']})"), delta=1e-9)
            self.assertGreater(t, 1)
            for k, box in enumerate(boxes):
                self.assertGreater(before[k].difference(tab.screenshot(box=box)), 20, f"plot {k} does not follow")
            if self.has_view(page):
                self.assertGreater(still.difference(tab.screenshot(box=stage)), 300, "the view does not follow")
            # and in the bar
            bar = tab.evaluate(rectangle("#slider"))
            tab.drag([(bar["x"] + bar["width"] / 2, bar["y"] + 8), (bar["x"] + bar["width"] / 4, bar["y"] + 8)])
            tab.settle()
            span = tab.evaluate("stanceReplay.end - stanceReplay.begin")
            self.assertAlmostEqual(tab.evaluate("stanceReplay.t"), span / 4, delta=0.02 * span)
            # and in the portrait: to an instant that was there
            box = boxes[3]
            tab.drag([(box["x"] + 0.3 * box["width"], box["y"] + 0.4 * box["height"]),
                      (box["x"] + 0.6 * box["width"], box["y"] + 0.3 * box["height"])])
            self.assertTrue(tab.evaluate("stanceReplay.motion.time.includes(stanceReplay.t)"))
            # what the legend says is what the table says at this instant
            tab.evaluate("stanceReplay.seek(stanceReplay.motion.time[200])")
            tab.settle()
            said = tab.evaluate("document.querySelector('.legend .chip b').textContent").replace("\u2212", "-")
            with open(page.parent / "trajectory.csv", encoding="utf-8") as table:
                row = list(csv.DictReader(table))[200]
            name = tab.evaluate("document.querySelector('.legend .chip span').textContent")
            self.assertAlmostEqual(float(said), float(row[f"q.{name}"]), delta=6e-4)  # three digits
            # and what the view shows: the base within half of 1e-5 m, forces within half of a 32768th of what they reach
            place = tab.evaluate("stanceReplay.frame.poses[0].p")
            for axis, value in zip("xyz", place):
                self.assertAlmostEqual(value, float(row[f"base.{axis}"]), delta=6e-6)
            contacts = tab.evaluate("stanceReplay.frame.contacts.map(c => [c.name, c.state, c.force])")
            self.assertEqual(len(contacts), 2)
            self.assertEqual([row[f"contact.{foot}.mode"] != "open" for foot, _, _ in contacts], [state != 0 for _, state, _ in contacts])
            self.assertIn(0, [state for _, state, _ in contacts])
            for foot, _, force in contacts:
                for axis, value in zip("xyz", force):
                    self.assertAlmostEqual(value, float(row[f"contact.{foot}.f{axis}"]), delta=2e-3)
            self.assertEqual(tab.complaints(), [])

    def test_saves_pictures_and_tables(self):
        page = self.walk("compass")
        with browser.Browser() as tab:
            self.ready(tab, page)
            folder = self.folder / "downloads"
            tab.call("Page.setDownloadBehavior", behavior="allow", downloadPath=str(folder))
            tab.evaluate("document.getElementById('csv').click()")
            tab.evaluate("document.getElementById('png').click()")
            for _ in range(600):
                files = sorted(folder.glob("*")) if folder.exists() else []
                if len(files) == 2 and not any(file.suffix == ".crdownload" for file in files):
                    break
                tab.settle()
            self.assertEqual([file.suffix for file in files], [".csv", ".png"])
            rows = files[0].read_text(encoding="utf-8").splitlines()
            self.assertEqual(len(rows), tab.evaluate("stanceReplay.motion.count") + 1)
            self.assertGreater(browser.Picture(files[1].read_bytes()).colors(), 100)
            if PICTURES:
                shutil.copy(files[1], pathlib.Path(PICTURES) / "saved.png")
            self.assertEqual(tab.complaints(), [])

    def test_keys_and_help(self):
        page = self.walk("compass")
        with browser.Browser() as tab:
            self.ready(tab, page)
            hidden = "document.getElementById('help').hidden"
            self.assertTrue(tab.evaluate(hidden))
            tab.key("?")
            self.assertFalse(tab.evaluate(hidden))
            tab.settle()
            self.keep(tab, "help")
            tab.key("Escape")
            self.assertTrue(tab.evaluate(hidden))
            tab.key("+")
            self.assertEqual(tab.evaluate("stanceReplay.speed"), 2)
            tab.key("-")
            tab.key("-")
            self.assertEqual(tab.evaluate("[stanceReplay.speed, document.getElementById('speed').value]"), [0.5, "0.5"])
            tab.key("z")
            window = tab.evaluate("stanceReplay.window")
            self.assertAlmostEqual(window[1] - window[0], tab.evaluate("stanceReplay.end - stanceReplay.begin") / 2)
            tab.key("o")
            self.assertEqual(tab.evaluate("stanceReplay.window"), tab.evaluate("[stanceReplay.begin, stanceReplay.end]"))
            for key in "acumlf":
                before = tab.evaluate("JSON.stringify(stanceReplay.layers)")
                tab.key(key)
                self.assertNotEqual(tab.evaluate("JSON.stringify(stanceReplay.layers)"), before, key)
            tab.settle()
            self.assertEqual(tab.complaints(), [])

    def test_without_webgl_the_plots_stay(self):
        page = self.walk("compass")
        with browser.Browser(webgl=False) as tab:
            self.ready(tab, page)
            said = tab.evaluate("document.getElementById('no-view').textContent")
            self.assertIn("no WebGL" if self.has_view(page) else "without its 3-D view", said)
            self.assertTrue(tab.evaluate("document.getElementById('no-view').getBoundingClientRect().height > 0"))
            plots = tab.evaluate(rectangle("#plots"))
            before = tab.screenshot(box=plots)
            tab.key(" ")
            tab.wait("stanceReplay.t > 0.3")
            tab.key(" ")
            tab.settle()
            self.assertGreater(before.difference(tab.screenshot(box=plots)), 100, "the plots do not move")
            self.keep(tab, "without_webgl")
            self.assertEqual(tab.complaints(), [])

    def test_without_the_view_the_plots_stay(self):
        page = self.walk("compass")
        text = page.read_text(encoding="utf-8")
        bare = self.folder / "bare.html"
        begin = text.find('<script data-part="view">')
        if begin >= 0:
            text = text[:begin] + text[text.index("</script>", begin) + len("</script>"):]
        bare.write_text(text, encoding="utf-8")
        self.assertLess(bare.stat().st_size, 700_000)
        with browser.Browser() as tab:
            self.ready(tab, bare, "#t=1")
            self.assertIn("without its 3-D view", tab.evaluate("document.getElementById('no-view').textContent"))
            self.assertGreater(tab.screenshot(box=tab.evaluate(rectangle("#plots"))).colors(), 50)
            self.assertEqual(tab.complaints(), [])

    def test_nothing_overlaps_or_sticks_out(self):
        page = self.walk("compass")
        parts = "[...document.querySelectorAll('#header, #stage, .plot, #transport, #slider, #png, #csv, #help-button, #play, #slow, #speed, #layers button')]"
        for width, height, mobile, dark in ((1280, 720, False, False), (1280, 720, False, True), (1920, 1080, False, False),
                                            (390, 844, True, False), (844, 390, True, True)):
            with self.subTest(width=width, dark=dark), browser.Browser(width, height, mobile=mobile, dark=dark) as tab:
                self.ready(tab, page, "#t=1.3")
                self.keep(tab, f"compass_{width}x{height}{'_dark' if dark else ''}")
                self.assertEqual(tab.evaluate("document.documentElement.scrollWidth"), width, "there is more than the width")
                out = tab.evaluate(f"""{parts}.filter(e => {{
                    const box = e.getBoundingClientRect();
                    return box.width > 0 && (box.left < -0.5 || box.right > innerWidth + 0.5 || box.width < 8 || box.height < 8);
                }}).map(e => e.id || e.className)""")
                self.assertEqual(out, [])
                overlaps = tab.evaluate(f"""(() => {{
                    const all = {parts}.filter(e => !e.closest('#transport') || {str(not mobile).lower()});
                    const found = [];
                    for (const a of all) for (const b of all) {{
                        if (a === b || a.contains(b) || b.contains(a)) continue;
                        const p = a.getBoundingClientRect(), q = b.getBoundingClientRect();
                        if (Math.min(p.right, q.right) - Math.max(p.left, q.left) > 1 && Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top) > 1)
                            found.push((a.id || a.textContent) + ' ' + (b.id || b.textContent));
                    }}
                    return found;
                }})()""")
                self.assertEqual(overlaps, [])
                self.assertEqual(tab.complaints(), [])


if __name__ == "__main__":
    unittest.main()
