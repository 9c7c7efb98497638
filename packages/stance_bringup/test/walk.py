"""What the launch tests share: a launch of ours, ears on its topics, and the events of `stance run`."""

import csv
import os
import pathlib
import shutil
import subprocess
import tempfile
import time

import launch_testing.asserts
import rclpy
from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch.actions import IncludeLaunchDescription
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch_testing.actions import ReadyToTest
from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy
from stance_msgs.msg import ContactEvent

SHARE = pathlib.Path(get_package_share_directory("stance_bringup"))
KINDS = {ContactEvent.TOUCHDOWN: "touchdown", ContactEvent.LIFTOFF: "liftoff", ContactEvent.PUSH_OFF: "push_off",
         ContactEvent.STOP: "stop", ContactEvent.RELEASE: "release", ContactEvent.FALL: "fall",
         ContactEvent.SLIDE: "slide", ContactEvent.STICK: "stick", ContactEvent.BOUNCE: "bounce",
         ContactEvent.TIP: "tip", ContactEvent.SETTLE: "settle"}
LAWS = {ContactEvent.NONE: "", ContactEvent.NEWTON: "newton", ContactEvent.POISSON: "poisson"}


def launch(file, **arguments):
    return LaunchDescription([
        IncludeLaunchDescription(PythonLaunchDescriptionSource(str(SHARE / "launch" / file)),
                                 launch_arguments=arguments.items()),
        ReadyToTest(),
    ])


def stance_run(scenario, duration):
    """The events of the program, as rows of its table."""
    program = os.environ.get("STANCE") or shutil.which("stance")
    assert program, "the program `stance` is not in PATH: build stance_cli and source its environment"
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([program, "run", str(SHARE / "config" / scenario), "--duration", str(duration), "--quiet",
                        "--out", folder], check=True, capture_output=True)
        with open(pathlib.Path(folder) / "events.csv", newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))


class Ears:
    """A node that hears every event, also those from before it was there."""

    def __init__(self, delay=0.0):
        rclpy.init()
        self.node = rclpy.create_node("ears")
        self.events = []
        self.delay = delay  # s, that it takes over each
        kept = QoSProfile(depth=10000, reliability=ReliabilityPolicy.RELIABLE,
                          durability=DurabilityPolicy.TRANSIENT_LOCAL)
        self.node.create_subscription(ContactEvent, "/stance/contact_events", self.hear, kept)

    def hear(self, event):
        self.events.append(event)
        time.sleep(self.delay)

    def wait(self, condition, seconds=120):
        end = time.monotonic() + seconds
        while not condition() and time.monotonic() < end:
            rclpy.spin_once(self.node, timeout_sec=0.1)
        return condition()

    def next(self, message_type, topic, seconds=60, qos=10):
        """The next message of a topic."""
        heard = []
        subscription = self.node.create_subscription(message_type, topic, heard.append, qos)
        self.wait(lambda: heard, seconds)
        self.node.destroy_subscription(subscription)
        assert heard, f"nothing on {topic}"
        return heard[-1]

    def call(self, service_type, service, seconds=30, **fields):
        client = self.node.create_client(service_type, service)
        assert client.wait_for_service(seconds), f"no service {service}"
        request = service_type.Request()
        for key, value in fields.items():
            setattr(request, key, value)
        future = client.call_async(request)
        assert self.wait(future.done, seconds), f"no answer from {service}"
        return future.result()

    def close(self):
        self.node.destroy_node()
        rclpy.shutdown()


def compare(test, events, rows):
    """Same sequence, same times, same everything, to the last bit; none lost."""
    test.assertGreater(len(rows), 0)
    for event, row in zip(events, rows):
        test.assertEqual(event.sequence, int(row["sequence"]))
        test.assertEqual(event.time, float(row["time"]))
        test.assertEqual(KINDS[event.kind], row["kind"])
        test.assertEqual(LAWS[event.law], row["law"])
        test.assertEqual(event.foot, row["body"])
        test.assertEqual(event.bodies[1], row["other"])
        test.assertEqual(event.restitution, float(row["restitution"]))
        test.assertEqual(event.point.x, float(row["point_x"]))
        test.assertEqual(event.impulse.z, float(row["impulse_z"]))
        test.assertEqual(event.energy_lost, float(row["energy_lost"]))
        test.assertEqual(event.root_after, row["root"])
    test.assertGreaterEqual(len(events), len(rows))
    test.assertEqual([event.sequence for event in events], list(range(len(events))))
    # a clock that was not heard is told again a nanosecond later, and stamps go on from there: a hundred a second at the most
    origin = stamp(events[0]) - round(1e9 * events[0].time)
    for event in events:
        test.assertAlmostEqual(stamp(event) - origin, 1e9 * event.time, delta=2 + 100 * (1 + event.time))


def assert_said(proc_output, *words):
    """The controller manager's log has them."""
    for one in words:
        launch_testing.asserts.assertInStderr(proc_output, one, "control_node", strict_proc_matching=False)


class Ended:
    """What holds of every launch that was shut down: a base of its post-shutdown test."""

    said = ("step time of", "wake-up latency of", "overruns: ")
    manager = "ros2_control_node"  # or stance_hardware's control_node, whose name ends in the same way

    def test_ended_well(self, proc_info):
        launch_testing.asserts.assertExitCodes(proc_info, process=self.manager)

    def test_said_how_it_went(self, proc_output):
        assert_said(proc_output, *self.said)


def stamp(event):
    return event.header.stamp.sec * 10**9 + event.header.stamp.nanosec
