"""A headless Chromium for tests, driven over a pipe by the DevTools protocol. Standard library only.

The browser has no network: every name resolves to nothing, and what a page asks for beyond its own file is recorded.
"""
import base64
import itertools
import json
import os
import pathlib
import select
import shutil
import struct
import subprocess
import tempfile
import time
import zlib


def find_chromium():
    """The path of a Chromium, or None. STANCE_CHROMIUM names another than the usual ones; empty: none is to be used."""
    if "STANCE_CHROMIUM" in os.environ:
        return shutil.which(os.environ["STANCE_CHROMIUM"]) if os.environ["STANCE_CHROMIUM"] else None
    # Ubuntu's chromium-browser may be a stub that asks for snap: it has no --version
    for name in ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable"):
        path = shutil.which(name)
        if path and subprocess.run([path, "--version"], capture_output=True, timeout=120).returncode == 0:
            return path
    return None


class Browser:
    """One tab. `webgl`: with the renderer in software, or without any."""

    def __init__(self, width=1280, height=720, webgl=True, dark=False, mobile=False):
        self.folder = tempfile.mkdtemp()
        to_browser, from_browser = os.pipe(), os.pipe()
        arguments = [
            find_chromium(), "--headless=new", "--remote-debugging-pipe", f"--user-data-dir={self.folder}", "--no-first-run",
            "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-extensions",
            "--host-resolver-rules=MAP * ~NOTFOUND", "--hide-scrollbars", f"--window-size={width},{height}", "--mute-audio",
            "--disable-dev-shm-usage"]
        arguments += ["--use-angle=swiftshader", "--enable-unsafe-swiftshader"] if webgl else ["--disable-3d-apis", "--disable-gpu"]
        if os.geteuid() == 0:
            arguments.append("--no-sandbox")  # as root it has none
        # the protocol's ends are 3 and 4, whatever numbers the pipes have here
        line = 'exec 3<&"$1" 4>&"$2"; shift 2; exec "$@"'
        self.process = subprocess.Popen(
            ["bash", "-c", line, "browser", str(to_browser[0]), str(from_browser[1]), *arguments],
            pass_fds=(to_browser[0], from_browser[1]), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser[0])
        os.close(from_browser[1])
        self.input, self.output = to_browser[1], from_browser[0]
        self.numbers = itertools.count(1)
        self.buffer = b""
        self.events = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = None
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", features=[scheme])
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=mobile)

    def close(self):
        try:
            os.write(self.input, json.dumps({"id": 0, "method": "Browser.close"}).encode() + b"\0")
            self.process.wait(20)
        except (OSError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        os.close(self.input)
        os.close(self.output)
        for _ in range(20):  # its helpers may be writing still
            shutil.rmtree(self.folder, ignore_errors=True)
            if not os.path.exists(self.folder):
                break
            time.sleep(0.1)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def read(self, timeout):
        """The next message, or None."""
        end = time.monotonic() + timeout
        while b"\0" not in self.buffer:
            ready, _, _ = select.select([self.output], [], [], max(0, end - time.monotonic()))
            if not ready:
                return None
            part = os.read(self.output, 1 << 20)
            if not part:
                raise RuntimeError("the browser has ended")
            self.buffer += part
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, timeout=120, **parameters):
        number = next(self.numbers)
        message = {"id": number, "method": method, "params": parameters}
        if getattr(self, "session", None):
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.input, data):]
        end = time.monotonic() + timeout
        while True:
            answer = self.read(end - time.monotonic())
            if answer is None:
                raise TimeoutError(f"{method}: no answer in {timeout} s")
            if answer.get("id") != number:
                self.events.append(answer)
                continue
            if "error" in answer:
                raise RuntimeError(f"{method}: {answer['error']}")
            return answer["result"]

    def open(self, path, fragment=""):
        self.events.clear()
        self.call("Page.navigate", url=pathlib.Path(path).resolve().as_uri() + fragment)
        self.wait("document.readyState === 'complete'")

    def evaluate(self, expression):
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{expression}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def wait(self, condition, timeout=60):
        end = time.monotonic() + timeout
        while not self.evaluate(condition):
            if time.monotonic() > end:
                raise TimeoutError(f"not within {timeout} s: {condition}")
            time.sleep(0.05)

    def settle(self):
        """Until what was asked for is drawn."""
        self.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))")

    def key(self, key, text=None):
        parameters = {"key": key, "text": text if text is not None else (key if len(key) == 1 else "")}
        codes = {"ArrowRight": 39, "ArrowLeft": 37, "Home": 36, "End": 35, "Escape": 27}
        parameters["windowsVirtualKeyCode"] = codes.get(key, ord(key.upper()) if len(key) == 1 else 0)
        self.call("Input.dispatchKeyEvent", type="keyDown", **parameters)
        self.call("Input.dispatchKeyEvent", type="keyUp", **parameters)

    def mouse(self, kind, x, y, **more):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1, **more)

    def drag(self, points):
        self.mouse("mousePressed", *points[0])
        for point in points[1:]:
            self.mouse("mouseMoved", *point, buttons=1)
        self.mouse("mouseReleased", *points[-1])

    def screenshot(self, path=None, box=None):
        """A picture of the page, or of a box of it: {x, y, width, height}."""
        more = {"clip": {**box, "scale": 1}} if box else {}
        data = base64.b64decode(self.call("Page.captureScreenshot", format="png", **more)["data"])
        if path:
            pathlib.Path(path).write_bytes(data)
        return Picture(data)

    def complaints(self):
        """What the console or the page complained of, and what was asked of the network, since open()."""
        while True:
            event = self.read(0.1)
            if event is None:
                break
            self.events.append(event)
        found = []
        for event in self.events:
            method, parameters = event.get("method"), event.get("params", {})
            if method == "Runtime.exceptionThrown":
                found.append(json.dumps(parameters["exceptionDetails"]))
            elif method == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "warning", "assert"):
                found.append(" ".join(str(each.get("value", each.get("description"))) for each in parameters["args"]))
            elif method == "Log.entryAdded" and parameters["entry"]["level"] in ("error", "warning"):
                # the driver's own remark on reading pixels back is the test's doing
                if "GPU stall due to ReadPixels" not in parameters["entry"]["text"]:
                    found.append(parameters["entry"]["text"])
            elif method == "Network.requestWillBeSent" and not parameters["request"]["url"].startswith(("file:", "data:", "blob:")):
                found.append("asked for " + parameters["request"]["url"])
        return found


class Picture:
    """Pixels of a PNG with 8 bits a channel and no interlacing, which is what browsers write."""

    def __init__(self, data):
        self.rows, self.width, self.height, self.channels = [], 0, 0, 3
        packed, at = b"", 8
        while at < len(data):
            length, kind = struct.unpack(">I4s", data[at:at + 8])
            body = data[at + 8:at + 8 + length]
            if kind == b"IHDR":
                self.width, self.height, depth, color = struct.unpack(">IIBB", body[:10])
                self.channels = {2: 3, 6: 4}[color]
                assert depth == 8
            elif kind == b"IDAT":
                packed += body
            at += length + 12
        raw, stride = zlib.decompress(packed), self.width * self.channels
        last = bytearray(stride)
        for y in range(self.height):
            begin = y * (stride + 1)
            self.rows.append(last := self.unfilter(raw[begin], bytearray(raw[begin + 1:begin + 1 + stride]), last))

    def unfilter(self, kind, row, up):
        n = self.channels
        if kind == 2:
            return bytearray((a + b) & 255 for a, b in zip(row, up))
        for i in range(len(row)) if kind else ():
            left = row[i - n] if i >= n else 0
            if kind == 1:
                row[i] = (row[i] + left) & 255
            elif kind == 3:
                row[i] = (row[i] + (left + up[i]) // 2) & 255
            elif kind == 4:
                corner = up[i - n] if i >= n else 0
                p = left + up[i] - corner
                distances = abs(p - left), abs(p - up[i]), abs(p - corner)
                row[i] = (row[i] + (left, up[i], corner)[distances.index(min(distances))]) & 255
        return row

    def pixel(self, x, y):
        return tuple(self.rows[y][x * self.channels:x * self.channels + 3])

    def colors(self):
        """How many different colours there are."""
        return len({self.pixel(x, y) for y in range(self.height) for x in range(self.width)})

    def difference(self, other):
        """How many pixels differ plainly."""
        count = 0
        for y in range(self.height):
            if self.rows[y] == other.rows[y]:
                continue
            for x in range(self.width):
                if sum(abs(a - b) for a, b in zip(self.pixel(x, y), other.pixel(x, y))) > 24:
                    count += 1
        return count
