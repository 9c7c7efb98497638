"""The robots in urdf/ are what they say they are.

Every check is a function from a robot to a list of complaints. Each runs over every robot and must find
nothing; then each runs over a robot spoilt on purpose and must find it (SPOILT, at the end).
Standard library only. Run from the root of the repository: python3 -m unittest discover -s test -v
"""
import math
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree as ET
from collections import namedtuple

URDF = pathlib.Path(__file__).resolve().parent.parent / "urdf"

# segments: vertical drops along a straight leg, hip pitch axis to contact frame; None: no legs.
# knee: +1 when a positive knee angle is flexion and moves the foot backwards, -1 when a negative one is
#       and moves it forwards.  motor: "ideal", "geared" (has armature and damping) or None (passive).
# points: the declared point masses.  height: ground to the top of the highest shape, zero pose.
Expected = namedtuple("Expected", "root joints mass segments knee motor height points", defaults=[()])
ROBOTS = {
    "compass": Expected("hip", 1, (4.0, 4.0), [1.0], None, None, (1.0, 1.1), ("hip", "left_leg", "right_leg")),
    "simplest_walker": Expected("hip", 2, (10000, 10000.1), [1.0], None, None, (1.0, 1.1), ("left_leg", "right_leg")),
    "rimless_wheel": Expected("hub", 0, (4.0, 4.0), None, None, None, (1.9, 2.1), ("hub",)),
    "kneed_biped": Expected("hip", 4, (10, 20), [0.5, 0.5], +1, None, (1.0, 1.1)),
    "torso_biped": Expected("torso", 4, (25, 35), [0.4, 0.4], +1, "ideal", (1.3, 1.4)),
    "biped": Expected("base", 12, (35, 42), [0.38, 0.36, 0.08], +1, "geared", (1.2, 1.4)),
    "quadruped": Expected("base", 12, (18, 26), [0.24, 0.24], -1, "geared", (0.5, 0.6)),
    "humanoid_34": Expected("base", 28, (60, 70), [0.41, 0.41, 0.08], +1, "geared", (1.65, 1.75)),
    "humanoid_48": Expected("base", 42, (60, 70), [0.41, 0.41, 0.08], +1, "geared", (1.65, 1.75)),
}
BODIES = {"ball", "block", "four_bar"}  # no walkers: what holds for those says nothing of them
FEET = {"quadruped": ("lf_foot", "rf_foot", "lh_foot", "rh_foot"),
        "rimless_wheel": tuple(f"foot_{k}" for k in range(8))}  # the lowest first
MIRROR = [("left_", "right_"), ("lf_", "rf_"), ("lh_", "rh_")]
INERTIA_TOLERANCE = 1e-4  # relative; the files round to six digits


# ---- reading ----------------------------------------------------------------------------------------------
def numbers(text):
    return [float(word) for word in text.split()]


def origin(element):
    """(xyz, rpy) of the <origin> inside element; zero where it is left out, as URDF says."""
    found = element.find("origin")
    get = {} if found is None else found.attrib
    return numbers(get.get("xyz", "0 0 0")), numbers(get.get("rpy", "0 0 0"))


def inertia_of(link):
    """Tensor as [ixx, iyy, izz, ixy, ixz, iyz]."""
    get = link.find("inertial/inertia").attrib
    return [float(get[name]) for name in ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")]


def shape_of(element):
    """(kind, dimensions) of a <visual> or <collision>."""
    (shape,) = element.find("geometry")
    sizes = {"box": ["size"], "cylinder": ["radius", "length"], "sphere": ["radius"]}
    return shape.tag, sum((numbers(shape.get(name)) for name in sizes[shape.tag]), [])


class Robot:
    def __init__(self, name, text):
        self.name, self.text, self.want = name, text, ROBOTS[name]
        self.xml = ET.fromstring(text)
        self.links = {link.get("name"): link for link in self.xml.findall("link")}
        self.joints = {joint.get("name"): joint for joint in self.xml.findall("joint")}
        self.moving = {name: joint for name, joint in self.joints.items() if joint.get("type") != "fixed"}
        self.parent_joint = {joint.find("child").get("link"): joint for joint in self.joints.values()}
        self.feet = FEET.get(name, ("left_foot", "right_foot"))

    def chain(self, link):
        """Joints from the root to link."""
        joints = []
        while link in self.parent_joint:
            joints.insert(0, self.parent_joint[link])
            link = joints[0].find("parent").get("link")
        return joints

    def placement(self, link, q={}):
        """(R, p) of link in the root frame; q gives joint angles by name, zero elsewhere."""
        R, p = rotation_rpy(0, 0, 0), [0, 0, 0]
        for joint in self.chain(link):
            xyz, rpy = origin(joint)
            p = add(p, apply(R, xyz))
            R = product(R, rotation_rpy(*rpy))
            angle = q.get(joint.get("name"), 0)
            if angle:
                R = product(R, rotation_axis(numbers(joint.find("axis").get("xyz")), angle))
        return R, p

    def mass(self):
        return sum(float(mass.get("value")) for mass in self.xml.iter("mass"))


def add(a, b):
    return [x + y for x, y in zip(a, b)]


def apply(R, a):
    return [sum(r * x for r, x in zip(row, a)) for row in R]


def product(A, B):
    return [[sum(a * b for a, b in zip(row, column)) for column in zip(*B)] for row in A]


def rotation_axis(axis, angle):
    x, y, z = axis
    c, s = math.cos(angle), math.sin(angle)
    return [[c + x * x * (1 - c), x * y * (1 - c) - z * s, x * z * (1 - c) + y * s],
            [y * x * (1 - c) + z * s, c + y * y * (1 - c), y * z * (1 - c) - x * s],
            [z * x * (1 - c) - y * s, z * y * (1 - c) + x * s, c + z * z * (1 - c)]]


def rotation_rpy(roll, pitch, yaw):
    return product(rotation_axis([0, 0, 1], yaw),
                   product(rotation_axis([0, 1, 0], pitch), rotation_axis([1, 0, 0], roll)))


# ---- checks: robot -> complaints --------------------------------------------------------------------------
def check_tree(robot):
    """Unique names, one root of the expected name, every link reached from it once, feet present."""
    names = [element.get("name") for kind in ("link", "joint") for element in robot.xml.findall(kind)]
    for name in {name for name in names if names.count(name) > 1}:
        yield f"the name {name} is used twice"
    children = [joint.find("child").get("link") for joint in robot.xml.findall("joint")]
    for name in {name for name in children if children.count(name) > 1}:
        yield f"{name} has two parents"
    for joint in robot.joints.values():
        for end in ("parent", "child"):
            if joint.find(end).get("link") not in robot.links:
                yield f"{joint.get('name')} has an unknown {end}"
    roots = [name for name in robot.links if name not in children]
    if roots != [robot.want.root]:
        yield f"roots are {roots}, expected {robot.want.root}"
    for foot in robot.feet:
        if foot not in robot.links:
            yield f"{foot} is missing"
        elif robot.parent_joint[foot].get("type") != "fixed":
            yield f"{foot} is not fixed to its leg"
    if len(robot.moving) != robot.want.joints:
        yield f"{len(robot.moving)} moving joints, expected {robot.want.joints}"


def check_masses(robot):
    """Masses positive, total in range; only the foot of a point-foot walker may be massless."""
    for name, link in robot.links.items():
        mass = link.find("inertial/mass")
        if mass is None and not (name in robot.feet and link.find("collision") is None):
            yield f"{name} has no mass"
        if mass is not None and not float(mass.get("value")) > 0:
            yield f"{name} has mass {mass.get('value')}"
    lower, upper = robot.want.mass
    if not lower - 1e-9 <= robot.mass() <= upper + 1e-9:
        yield f"total mass {robot.mass():g} is outside {lower} to {upper}"


def solid_inertia(mass, kind, size):
    """Principal inertias of a uniform solid at its centre; a cylinder's axis is z."""
    if kind == "box":
        xx, yy, zz = (s * s for s in size)
        return [mass * (yy + zz) / 12, mass * (xx + zz) / 12, mass * (xx + yy) / 12]
    if kind == "cylinder":
        radius, length = size
        across = mass * (3 * radius**2 + length**2) / 12
        return [across, across, mass * radius**2 / 2]
    return [0.4 * mass * size[0] ** 2] * 3


def check_inertias(robot):
    """Inertia is that of the collision shape, at the shape's origin; zero for a declared point mass."""
    for name, link in robot.links.items():
        if link.find("inertial") is None:
            continue
        if link.find("visual") is None or len(link.findall("collision")) != 1:
            yield f"{name} needs a visual and one collision shape"
            continue
        found = inertia_of(link)
        xx, yy, zz = found[:3]
        if xx > yy + zz or yy > xx + zz or zz > xx + yy:
            yield f"{name} breaks the triangle inequality"
        if name in robot.want.points:
            if any(found):
                yield f"{name} is declared a point mass but has inertia"
            continue
        collision = link.find("collision")
        if origin(link.find("inertial")) != origin(collision):
            yield f"{name}: centre of mass and collision shape differ in origin"
        expected = solid_inertia(float(link.find("inertial/mass").get("value")), *shape_of(collision)) + [0] * 3
        if any(abs(f - e) > INERTIA_TOLERANCE * max(expected) for f, e in zip(found, expected)):
            yield f"{name}: inertia {found} is not that of its shape {expected}"


def check_joints(robot):
    """Axes along +x, +y or +z; limits that hold the zero pose; motors as the table says; known extensions."""
    for name, joint in robot.moving.items():
        kind, motor = joint.get("type"), robot.want.motor
        if kind not in ("revolute", "continuous"):
            yield f"{name} is {kind}"
        if sorted(numbers(joint.find("axis").get("xyz"))) != [0, 0, 1]:
            yield f"{name} turns about {joint.find('axis').get('xyz')}"
        limit = joint.find("limit")
        if kind == "revolute":
            lower, upper, effort, velocity = (float(limit.get(k)) for k in ("lower", "upper", "effort", "velocity"))
            if not (lower <= 0 <= upper and lower < upper and velocity > 0):
                yield f"{name} has limits {lower} to {upper}, velocity {velocity}"
            if (effort > 0) != (motor is not None):
                yield f"{name} has effort {effort}"
        stance, dynamics = joint.find("stance"), joint.find("dynamics")
        if motor == "geared":
            if stance is None or not float(stance.get("armature", 0)) > 0:
                yield f"{name} has no armature"
            if dynamics is None or not all(float(dynamics.get(k, 0)) > 0 for k in ("damping", "friction")):
                yield f"{name} has no damping or friction"
        elif stance is not None or dynamics is not None:
            yield f"{name} should be ideal"
    for extension in robot.xml.iter("stance"):
        if not set(extension.attrib) <= {"armature", "type"}:
            yield f"unknown attribute in <stance {extension.attrib}/>"


def mirrored_name(name):
    for left, right in MIRROR:
        if name.startswith(left):
            return right + name[len(left):]
        if name.startswith(right):
            return left + name[len(right):]
    return name


def mirrored_origin(element):
    (x, y, z), (roll, pitch, yaw) = origin(element)
    return [x, -y, z], [-roll, pitch, -yaw]


def geometry(link, place):
    return [(kind, place(element), shape_of(element)) for kind in ("visual", "collision") for element in link.findall(kind)]


# The compass has one hinge (paper, section 8.3): its hip is fixed to the left leg.
HALF_FIXED = {"compass": {"left_hip", "right_hip"}}


def check_mirror(robot):
    """The image of the robot in the plane y = 0 is the robot, exactly, with left and right exchanged."""
    for name, link in robot.links.items():
        twin = robot.links.get(mirrored_name(name))
        if twin is None:
            yield f"{name} has no twin"
            continue
        if geometry(link, mirrored_origin) != geometry(twin, origin):
            yield f"{name} and {twin.get('name')} differ in shape"
        if (link.find("inertial") is None) != (twin.find("inertial") is None):
            yield f"{name} and {twin.get('name')}: one has no mass"
        elif link.find("inertial") is not None:
            xx, yy, zz, xy, xz, yz = inertia_of(link)
            if (mirrored_origin(link.find("inertial")) != origin(twin.find("inertial"))
                    or link.find("inertial/mass").attrib != twin.find("inertial/mass").attrib
                    or [xx, yy, zz, -xy, xz, -yz] != inertia_of(twin)):
                yield f"{name} and {twin.get('name')} differ in inertia"
    for name, joint in robot.joints.items():
        twin = robot.joints.get(mirrored_name(name))
        if twin is None:
            yield f"{name} has no twin"
            continue
        pair = f"{name} and {twin.get('name')}"
        if {name, mirrored_name(name)} == HALF_FIXED.get(robot.name):  # same place, but one of the two is fixed
            if {joint.get("type"), twin.get("type")} != {"fixed", "continuous"} or mirrored_origin(joint) != origin(twin):
                yield f"{pair} differ in place, or not one of them is fixed"
            continue
        if joint.get("type") != twin.get("type") or mirrored_origin(joint) != origin(twin):
            yield f"{pair} differ in type or place"
        for end in ("parent", "child"):
            if mirrored_name(joint.find(end).get("link")) != twin.find(end).get("link"):
                yield f"{pair} differ in {end}"
        for tag in ("dynamics", "stance"):
            if getattr(joint.find(tag), "attrib", None) != getattr(twin.find(tag), "attrib", None):
                yield f"{pair} differ in {tag}"
        if joint.find("axis") is None:
            continue
        # An axis is a pseudovector: its image in y = 0 is (-x, y, -z). A twin that turns about the opposite of
        # the image has the opposite angle in the mirrored pose, and so the opposite limits.
        x, y, z = numbers(joint.find("axis").get("xyz"))
        twin_axis = numbers(twin.find("axis").get("xyz"))
        if twin_axis not in ([-x, y, -z], [x, -y, z]):
            yield f"{pair} differ in axis"
        elif joint.find("limit") is not None:
            limit = {key: float(value) for key, value in joint.find("limit").attrib.items()}
            if twin_axis == [x, -y, z]:
                limit["lower"], limit["upper"] = -limit["upper"], -limit["lower"]
            if limit != {key: float(value) for key, value in twin.find("limit").attrib.items()}:
                yield f"{pair} differ in limits"


def check_legs(robot):
    """Segment lengths, feet level and below their hips in the zero pose, knees that bend the stated way."""
    if robot.want.segments is None:  # a wheel
        return
    for foot in robot.feet:
        side = foot[:-len("foot")]
        chain = robot.chain(foot)
        (hip,) = [j for j in chain if j.get("name") in (side + "hip", side + "hip_pitch", side + "flexion")]
        below = chain[chain.index(hip) + 1:]
        drops = [-origin(joint)[0][2] for joint in below]
        if [drop for drop in drops if drop] != robot.want.segments:
            yield f"{foot}: leg segments are {drops}, expected {robot.want.segments}"
        at_hip = robot.placement(hip.find("child").get("link"))[1]
        at_foot = robot.placement(foot)[1]
        dx, dy, dz = (f - h for f, h in zip(at_foot, at_hip))
        if abs(dz + sum(robot.want.segments)) > 1e-12 or abs(dx) > 0.05 or abs(dy) > 0.02:
            yield f"{foot} is not below its hip: {dx:g} {dy:g} {dz:g}"
        if robot.want.knee:
            limit = robot.joints[side + "knee"].find("limit")
            lower, upper = float(limit.get("lower")), float(limit.get("upper"))
            if (lower if robot.want.knee > 0 else upper) != 0:
                yield f"{side}knee is straight inside its limits"
            bent = robot.placement(foot, {side + "knee": robot.want.knee * 0.5})[1]
            if not robot.want.knee * (bent[0] - at_foot[0]) < -0.05 or not bent[2] > at_foot[2]:
                yield f"{side}knee bends the wrong way"
            if not lower <= robot.want.knee * 1.4 <= upper:
                yield f"{side}knee cannot bend"


def lowest_and_highest(robot):
    """z extent, in the root frame and the zero pose, of all collision shapes and foot frames."""
    extent = [robot.placement(foot)[1][2] for foot in robot.feet]
    for name, link in robot.links.items():
        for collision in link.findall("collision"):
            R, p = robot.placement(name)
            xyz, rpy = origin(collision)
            centre = add(p, apply(R, xyz))[2]
            down = product(R, rotation_rpy(*rpy))[2]  # row: how the shape's axes lie along the vertical
            kind, size = shape_of(collision)
            if kind == "box":
                half = sum(abs(d) * s / 2 for d, s in zip(down, size))
            elif kind == "cylinder":
                half = size[0] * math.hypot(down[0], down[1]) + abs(down[2]) * size[1] / 2
            else:
                half = size[0]
            extent += [centre - half, centre + half]
    return min(extent), max(extent)


def check_height(robot):
    """Height in range, and nothing reaches below the soles."""
    low, high = lowest_and_highest(robot)
    lower, upper = robot.want.height
    if not lower <= high - low <= upper:
        yield f"height {high - low:g} is outside {lower} to {upper}"
    radius = robot.links[robot.feet[0]].find("collision/geometry/sphere")
    ground = robot.placement(robot.feet[0])[1][2] - (float(radius.get("radius")) if radius is not None else 0)
    if abs(low - ground) > 1e-9:
        yield f"lowest shape at {low:g}, ground at {ground:g}"


CHECKS = [check_tree, check_masses, check_inertias, check_joints, check_mirror, check_legs, check_height]


# ---- tests ------------------------------------------------------------------------------------------------
def read(name):
    return (URDF / f"{name}.urdf").read_text(encoding="utf-8")


class TestRobots(unittest.TestCase):
    def test_table_lists_every_file(self):
        self.assertEqual(sorted(BODIES | set(ROBOTS)), sorted(path.stem for path in URDF.glob("*.urdf")))

    def test_file_and_robot_have_one_name(self):
        for name in ROBOTS:
            self.assertEqual(ET.fromstring(read(name)).get("name"), name)

    def test_readme_table(self):
        rows = re.findall(r"^\| `(\w+)\.urdf` \| (\d+) \| (\d+) \| ([\d.]+) \|", (URDF / "README.md").read_text(encoding="utf-8"), re.M)
        self.assertEqual(sorted(BODIES | set(ROBOTS)), sorted(row[0] for row in rows))
        for name, bodies, joints, mass in rows:
            if name in BODIES:
                masses = [float(m) for m in re.findall(r'<mass value="([^"]+)"', read(name))]
                self.assertEqual((int(bodies), int(joints)), (len(masses), len(masses) - 1))
                self.assertAlmostEqual(sum(masses), float(mass), delta=1e-9)
                continue
            robot = Robot(name, read(name))
            with self.subTest(robot=name):
                self.assertEqual(int(bodies), len(robot.moving) + 1)
                self.assertEqual(int(joints), len(robot.moving))
                self.assertAlmostEqual(float(mass), robot.mass(), delta=0.005)

    def test_check_urdf(self):
        program = shutil.which("check_urdf")
        if program is None:
            self.skipTest("check_urdf is not installed (Debian and Ubuntu: liburdfdom-tools)")
        for name in ROBOTS:
            with self.subTest(robot=name):
                run = subprocess.run([program, URDF / f"{name}.urdf"], capture_output=True, text=True, timeout=60)
                self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
                self.assertNotRegex(run.stdout + run.stderr, r"(?i)error|warn")
        with tempfile.NamedTemporaryFile("w", suffix=".urdf") as spoilt:
            spoilt.write(read("kneed_biped").replace("<limit ", "<unlimited "))
            spoilt.flush()
            self.assertNotEqual(subprocess.run([program, spoilt.name], capture_output=True, timeout=60).returncode, 0)


def over_every_robot(check):
    def test(self):
        for name in ROBOTS:
            with self.subTest(robot=name):
                self.assertEqual(list(check(Robot(name, read(name)))), [])
    test.__doc__ = check.__doc__
    return test


for _check in CHECKS:
    setattr(TestRobots, _check.__name__.replace("check_", "test_"), over_every_robot(_check))


# (robot, pattern, replacement for its first match, the check that must complain, words of its complaint)
SPOILT = [
    ("compass", 'link name="left_foot"', 'link name="right_foot"', check_tree, "used twice"),
    ("biped", '<child link="left_ankle"/>', '<child link="left_thigh"/>', check_tree, "two parents"),
    ("quadruped", '<child link="lf_hip"/>', '<child link="lf_hips"/>', check_tree, "unknown child"),
    ("torso_biped", 'name="left_knee" type="revolute"', 'name="left_knee" type="fixed"', check_tree, "3 moving joints"),
    ("quadruped", 'name="lh_foot_fixed" type="fixed"', 'name="lh_foot_fixed" type="continuous"', check_tree, "not fixed"),
    ("compass", '<mass value="2"/>', '<mass value="-2"/>', check_masses, "hip has mass -2"),
    ("compass", '<mass value="2"/>', '<mass value="2.1"/>', check_masses, "total mass"),
    ("humanoid_34", '<mass value="15"/>', "", check_masses, "chest has no mass"),
    ("biped", '<mass value="18"/>', '<mass value="18.01"/>', check_inertias, "not that of its shape"),
    ("quadruped", r'(<collision>.*)radius="0.014"', r'\1radius="0.015"', check_inertias, "not that of its shape"),
    ("quadruped", 'rpy="1.570796 0 0"', 'rpy="0 0 0"', check_inertias, "differ in origin"),
    ("compass", 'ixx="0"', 'ixx="1"', check_inertias, "triangle inequality"),
    ("compass", 'ixx="0" ixy="0" ixz="0" iyy="0"', 'ixx="1" ixy="0" ixz="0" iyy="1"', check_inertias, "declared a point mass"),
    ("torso_biped", r"<collision>.*</collision>", "", check_inertias, "one collision shape"),
    ("humanoid_48", '<axis xyz="1 0 0"/>', '<axis xyz="-1 0 0"/>', check_joints, "turns about"),
    ("biped", 'lower="0" upper="2.4"', 'lower="0.1" upper="2.4"', check_joints, "limits"),
    ("biped", r"<stance [^>]*>", "", check_joints, "no armature"),
    ("biped", "<stance armature", "<stance armatur", check_joints, "unknown attribute"),
    ("compass", '<axis xyz="0 1 0"/>', '<axis xyz="0 1 0"/><dynamics damping="1" friction="0"/>', check_joints, "ideal"),
    ("kneed_biped", 'effort="0"', 'effort="1"', check_joints, "effort"),
    ("humanoid_48", 'name="left_hand"', 'name="left_fist"', check_mirror, "no twin"),
    ("humanoid_34", '<mass value="0.65"/>', '<mass value="0.66"/>', check_mirror, "differ in inertia"),
    ("quadruped", 'xyz="0.21 0.06 0"', 'xyz="0.21 0.061 0"', check_mirror, "differ in type or place"),
    ("quadruped", '<origin xyz="0 0.015 -0.11"/><geometry>', '<origin xyz="0 0.02 -0.11"/><geometry>', check_mirror, "differ in shape"),
    ("humanoid_34", 'lower="-0.2" upper="2.8"', 'lower="-2.8" upper="0.2"', check_mirror, "differ in limits"),
    ("humanoid_34", 'xyz="0 0 0.27"', 'xyz="0 0.01 0.27"', check_mirror, "neck_yaw and neck_yaw differ"),
    ("biped", '<axis xyz="1 0 0"/>', '<axis xyz="0 0 1"/>', check_mirror, "differ in axis"),
    ("biped", 'armature="0.05"', 'armature="0.06"', check_mirror, "differ in stance"),
    ("kneed_biped", 'xyz="0 0 -0.5"', 'xyz="0 0 -0.51"', check_legs, "leg segments"),
    ("kneed_biped", 'lower="0" upper="2.4"', 'lower="-2.4" upper="0"', check_legs, "straight inside its limits"),
    ("torso_biped", r'(name="left_knee"[^~]*?)xyz="0 1 0"', r'\1xyz="0 -1 0"', check_legs, "bends the wrong way"),
    ("biped", 'xyz="0.03 0 -0.08"', 'xyz="0.3 0 -0.08"', check_legs, "not below its hip"),
    ("humanoid_34", r'(<collision>.*)radius="0.09"', r'\1radius="0.2"', check_height, "height"),
    ("torso_biped", r'(<collision>.*)length="0.36"', r'\1length="0.5"', check_height, "lowest shape"),
]


class TestChecksCanFail(unittest.TestCase):
    def test_spoilt_robots_are_found(self):
        for name, pattern, replacement, check, words in SPOILT:
            text, count = re.subn(pattern, replacement, read(name), count=1)
            with self.subTest(robot=name, pattern=pattern):
                self.assertEqual(count, 1, "the pattern is no longer in the file")
                self.assertIn(words, "; ".join(check(Robot(name, text))))

    def test_every_check_is_shown_to_fail(self):
        self.assertEqual({row[3] for row in SPOILT}, set(CHECKS))


if __name__ == "__main__":
    unittest.main()
