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
    "start_paused": ("false", "nothing moves until every joint that takes commands has a controller"),
    "keyframe": ("", "of the scenario, to start in; left out: its initial state"),
    "rviz": ("false", "start RViz, and markers of contacts, impulses and the centre of mass"),
    "use_sim_time": ("false", "the simulation makes the clock, and everything goes by it"),
    "real_time_factor": ("1", "with use_sim_time: how fast the clock goes; 0: as fast as it can"),
    "stock": ("false", "with use_sim_time: the stock ros2_control_node, which waits for /clock in every cycle, and not "
                       "stance_hardware's control_node, which makes it"),
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


def whole(name, text, least=0):
    if not text.isdecimal() or int(text) < least:
        raise RuntimeError(f"{name}:={text}: say a whole number" + (f" of {least} or more" if least else ""))
    return int(text)


def number(name, text):
    try:
        value = float(text)
    except ValueError:
        value = -1
    if not 0 <= value < float("inf"):
        raise RuntimeError(f"{name}:={text}: say a number, 0 or above")
    return value


def find(name, text, folder):
    """A path of its own, or the file of this name in a folder of ours."""
    for path in (pathlib.Path(text), SHARE / folder / text):
        if path.is_file():
            return str(path.absolute())
    ours = ", ".join(sorted(path.name for path in (SHARE / folder).iterdir() if path.is_file()))
    raise RuntimeError(f"{name}:={text}: there is no such file, and none of that name in {SHARE / folder}, which has {ours}")


def controller_names(file):
    """Of a file of controllers: those to which the section controller_manager gives a type."""
    sample = "controller_manager: {ros__parameters: {joint_state_broadcaster: {type: joint_state_broadcaster/JointStateBroadcaster}}}"
    try:
        with open(file, encoding="utf-8") as stream:
            section = yaml.safe_load(stream)
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise RuntimeError(f"controllers: {file} cannot be read: {error}") from error
    for key in ("controller_manager", "ros__parameters"):
        section = section.get(key) if isinstance(section, dict) else None
        if not isinstance(section, dict):
            raise RuntimeError(f"controllers: {file} has no section '{key}', which names the controllers; it begins like "
                               f"{sample}")
    return [name for name, value in section.items() if isinstance(value, dict) and "type" in value]


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


def ended(event, context):
    """The manager has ended: so does the launch, and if it failed, so does the launch."""
    if context.is_shutdown:
        return None
    if event.returncode != 0:
        raise RuntimeError(f"{event.process_name} ended with code {event.returncode}; what was wrong is in its lines above")
    return [Shutdown(reason=f"{event.process_name} has ended")]


def start(context):
    value = {name: LaunchConfiguration(name).perform(context) for name in ARGUMENTS}
    sim_time, stock, push_off, start_paused, lock_memory, rviz = (
        truth(name, value[name])
        for name in ("use_sim_time", "stock", "push_off", "start_paused", "lock_memory", "rviz"))
    factor = number("real_time_factor", value["real_time_factor"])
    for name, used in (("real_time_factor", factor != 1), ("stock", stock)):
        if used and not sim_time:
            raise RuntimeError(f"{name}:={value[name]}: has no effect on the wall's clock; add use_sim_time:=true, or leave it out")
    scenario = find("scenario", value["scenario"], "config")
    controllers = find("controllers", value["controllers"], "config/controllers")
    description = Command(
        ["xacro ", find("robot", value["robot"], "urdf"), " scenario:=", scenario, " clock:=", str(stock).lower(),
         " real_time_factor:=", value["real_time_factor"] if stock else "1", " push_off:=", str(push_off).lower(),
         " start_paused:=", str(start_paused).lower(), " keyframe:=", value["keyframe"]])
    # rate and priority after the file, so that they win
    manager = {"update_rate": whole("rate", value["rate"], 1), "use_sim_time": sim_time, "lock_memory": lock_memory}
    if sim_time and not stock:
        manager["real_time_factor"] = factor
    if value["priority"]:
        manager["thread_priority"] = whole("priority", value["priority"])
    if value["cpu"]:
        manager["cpu_affinity"] = whole("cpu", value["cpu"])

    actions = [
        Node(package="robot_state_publisher", executable="robot_state_publisher", output="screen",
             parameters=[{"robot_description": ParameterValue(description, value_type=str),
                          "use_sim_time": sim_time}]),
        Node(package="stance_hardware" if sim_time and not stock else "controller_manager",
             executable="control_node" if sim_time and not stock else "ros2_control_node", output="screen",
             parameters=[controllers, manager],
             remappings=[("~/robot_description", "/robot_description")],  # Humble
             on_exit=ended),
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
