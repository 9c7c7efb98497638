"""Includes stance.launch.py with other defaults; every argument can still be given on the command line."""

import importlib.util
import pathlib

from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, IncludeLaunchDescription
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch.substitutions import LaunchConfiguration

FILE = pathlib.Path(__file__).parent / "stance.launch.py"


def include_stance(**defaults):
    spec = importlib.util.spec_from_file_location("stance_launch", FILE)
    stance = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(stance)
    arguments = [DeclareLaunchArgument(name, default_value=defaults.get(name, default), description=text)
                 for name, (default, text) in stance.ARGUMENTS.items()]
    return LaunchDescription([
        *arguments,
        IncludeLaunchDescription(
            PythonLaunchDescriptionSource(str(FILE)),
            launch_arguments={name: LaunchConfiguration(name) for name in stance.ARGUMENTS}.items()),
    ])
