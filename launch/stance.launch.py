"""A robot of stance under a stock controller manager: what the other launch files here have in common."""

import datetime
import pathlib

import yaml
from ament_index_python.packages import PackageNotFoundError, get_package_prefix, get_package_share_directory
from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, ExecuteProcess, OpaqueFunction, Shutdown
from launch.substitutions import Command, LaunchConfiguration
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue

SHARE = pathlib.Path(get_package_share_directory("stance_bringup"))

# name: (default, what it is)
ARGUMENTS = {
    "robot": ("compass.urdf.xacro", "xacro file with a <ros2_control> tag: in urdf/, or a whole path"),
    "scenario": ("compass.yaml", "scenario file: in config/, or a whole path"),
    "controllers": ("compass.yaml", "controllers: in config/controllers/, or a whole path"),
    "spawn": ("", "controllers to start, with spaces between, or none; left out: all of the file"),
    "rate": ("1000", "Hz, of the controller manager; its period must be a multiple of the scenario's step"),
    "rviz": ("false", "start RViz, and markers of contacts, impulses and the centre of mass"),
    "use_sim_time": ("false", "the simulation makes the clock, and everything goes by it"),
    "real_time_factor": ("1", "with use_sim_time: how fast the clock goes; 0: as fast as it can"),
    "record": ("false", "true: record topics with ros2 bag, into a folder named by the time; or the folder"),
    "push_off": ("false", "the trailing leg can be told to push off"),
    "priority": ("", "SCHED_FIFO priority of the control loop; left out: the controller manager's own"),
    "cpu": ("", "processor that the control loop is bound to; left out: any"),
    "lock_memory": ("false", "lock all memory"),
}


# all but the controller manager's view of itself, which is ten times as much as all the rest
RECORDED = "^/(?!controller_manager/(introspection_data|statistics)/).*"

TRUE, FALSE = ("true", "1", "yes", "on"), ("false", "0", "no", "off", "")


def truth(name, text):
    if text.lower() not in TRUE + FALSE:
        raise RuntimeError(f"{name}:={text}: say true or false")
    return text.lower() in TRUE


def whole(name, text):
    if not text.isdecimal():
        raise RuntimeError(f"{name}:={text}: say a whole number")
    return int(text)


def find(name, text, folder):
    """A path of its own, or the file of this name in a folder of ours."""
    for path in (pathlib.Path(text), SHARE / folder / text):
        if path.is_file():
            return str(path.absolute())
    ours = ", ".join(sorted(path.name for path in (SHARE / folder).iterdir() if path.is_file()))
    raise RuntimeError(f"{name}:={text}: there is no such file, and none of that name in {SHARE / folder}, which has {ours}")


def controller_names(file):
    with open(file, encoding="utf-8") as stream:
        parameters = yaml.safe_load(stream)["controller_manager"]["ros__parameters"]
    return [name for name, value in parameters.items() if isinstance(value, dict) and "type" in value]


def need(package, name, text):
    """A launch that fails on the way leaves behind what it has started, so this is asked before."""
    try:
        get_package_prefix(package)
    except PackageNotFoundError as error:
        raise RuntimeError(f"{name}:={text}: the package {package} is not here; install it, or leave {name} out") from error


def record(folder):
    if folder.lower() in FALSE:
        return []
    need("ros2bag", "record", folder)
    if folder.lower() in TRUE:
        folder = "stance_" + datetime.datetime.now().strftime("%Y%m%d_%H%M%S")
    return [ExecuteProcess(cmd=["ros2", "bag", "record", "--regex", RECORDED, "--qos-profile-overrides-path",
                                str(SHARE / "launch" / "record_qos.yaml"), "--output", folder], output="screen")]


def start(context):
    value = {name: LaunchConfiguration(name).perform(context) for name in ARGUMENTS}
    sim_time, push_off, lock_memory, rviz = (
        truth(name, value[name]) for name in ("use_sim_time", "push_off", "lock_memory", "rviz"))
    scenario = find("scenario", value["scenario"], "config")
    controllers = find("controllers", value["controllers"], "config/controllers")
    description = Command(
        ["xacro ", find("robot", value["robot"], "urdf"), " scenario:=", scenario, " clock:=", str(sim_time).lower(),
         " real_time_factor:=", value["real_time_factor"], " push_off:=", str(push_off).lower()])
    # rate and priority after the file, so that they win
    manager = {"update_rate": whole("rate", value["rate"]), "use_sim_time": sim_time, "lock_memory": lock_memory}
    if value["priority"]:
        manager["thread_priority"] = whole("priority", value["priority"])
    if value["cpu"]:
        manager["cpu_affinity"] = whole("cpu", value["cpu"])

    actions = [
        Node(package="robot_state_publisher", executable="robot_state_publisher", output="screen",
             parameters=[{"robot_description": ParameterValue(description, value_type=str),
                          "use_sim_time": sim_time}]),
        Node(package="controller_manager", executable="ros2_control_node", output="screen",
             parameters=[controllers, manager],
             remappings=[("~/robot_description", "/robot_description")],  # Humble
             on_exit=Shutdown()),
    ]
    names = value["spawn"].split() or controller_names(controllers)
    if names and value["spawn"] != "none":
        actions.append(Node(package="controller_manager", executable="spawner", output="screen",
                            arguments=[*names, "--param-file", controllers, "--controller-manager-timeout", "60"]))
    if rviz:
        need("rviz2", "rviz", value["rviz"])
        actions.append(Node(package="rviz2", executable="rviz2", output="screen",
                            arguments=["-d", str(SHARE / "config" / "layouts" / "walker.rviz")],
                            parameters=[{"use_sim_time": sim_time}]))
        actions.append(Node(package="stance_nodes", executable="contact_markers", output="screen",
                            parameters=[{"use_sim_time": sim_time}]))
    return actions + record(value["record"])


def generate_launch_description():
    arguments = [DeclareLaunchArgument(name, default_value=default, description=text)
                 for name, (default, text) in ARGUMENTS.items()]
    return LaunchDescription([*arguments, OpaqueFunction(function=start)])
