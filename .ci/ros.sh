# shellcheck shell=bash
# shellcheck disable=SC2034  # skip_ros is used where this file is sourced
# Sourced by build.sh and test.sh. Finds ROS 2 and sets skip_ros: the colcon options that leave out
# the packages that need it (their package.xml says <build_type>ament_...), empty if ROS 2 is here.

mapfile -t ros_packages < <(
  grep -ls '<build_type[^>]*>ament_' packages/*/package.xml |
    while read -r xml; do sed -n 's:.*<name>\(.*\)</name>.*:\1:p' "$xml" | head -n 1; done
)

# newest_ros: the newest ROS 2 under /opt/ros; its names go by the alphabet, ROS 1 has no ament index.
newest_ros() {
  local candidate newest=
  for candidate in /opt/ros/*/setup.bash; do
    if [[ -d $(dirname "$candidate")/share/ament_index ]]; then newest=$candidate; fi
  done
  echo "$newest"
}

# sourced_ros: the folder of the ROS 2 that is sourced, empty if none is.
sourced_ros() {
  local prefix
  IFS=: read -ra prefixes <<<"${AMENT_PREFIX_PATH:-}"
  for prefix in "${prefixes[@]}"; do
    if [[ -d $prefix/share/rclcpp ]]; then
      echo "$prefix"
      return
    fi
  done
}

ros_case=$(sourced_ros)
if [[ -n $ros_case ]]; then
  ros_case="sourced from $ros_case"
else
  ros_setup=$(newest_ros)
  if [[ -n $ros_setup ]]; then
    set +u # the ROS set-up files use unset variables
    # shellcheck disable=SC1090
    source "$ros_setup"
    set -u
    ros_case="found as $ros_setup"
  fi
fi
# One that was built from source may have no name.
if [[ -n $ros_case && -n ${ROS_DISTRO:-} ]]; then ros_case="$ROS_DISTRO, $ros_case"; fi

skip_ros=()
if ((${#ros_packages[@]} == 0)); then
  say "ROS 2: ${ros_case:-not here}; no package needs it"
elif [[ -n $ros_case ]]; then
  say "ROS 2: $ros_case; the ROS packages are included: ${ros_packages[*]}"
else
  say "ROS 2: not here; the packages that need it are left out: ${ros_packages[*]}"
  skip_ros=(--packages-skip "${ros_packages[@]}")
fi
