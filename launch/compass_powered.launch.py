"""The compass biped on level ground: a controller swings its leg and pushes off.

ros2 launch stance_bringup compass_powered.launch.py rviz:=true
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))

from include_stance import include_stance  # noqa: E402


def generate_launch_description():
    return include_stance(robot="compass.urdf.xacro", scenario="compass_powered.yaml",
                          controllers="compass_powered.yaml", push_off="true", start_paused="true")
