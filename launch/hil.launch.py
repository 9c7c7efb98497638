"""Hardware in the loop: the powered compass on the robot's own computer, with real-time scheduling where it is permitted.

The control loop runs under SCHED_FIFO, with locked memory, on a processor of its own; what the system does not permit is
said in a warning, and the run goes on without it. At the end (Ctrl-C) come the percentiles of step time and wake-up latency.

ros2 launch stance_bringup hil.launch.py cpu:=3 priority:=80
"""

import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))

from include_stance import include_stance  # noqa: E402


def generate_launch_description():
    last = max(os.sched_getaffinity(0))  # where interrupts are rarest
    return include_stance(robot="compass.urdf.xacro", scenario="compass_powered.yaml",
                          controllers="compass_powered.yaml", push_off="true", start_paused="true",
                          priority="80", lock_memory="true", cpu=str(last))
