"""The passive compass biped walks down its slope; broadcasters tell what it does.

ros2 launch stance_bringup compass.launch.py rviz:=true
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))

from include_stance import include_stance  # noqa: E402


def generate_launch_description():
    return include_stance(robot="compass.urdf.xacro", scenario="compass.yaml", controllers="compass.yaml")
