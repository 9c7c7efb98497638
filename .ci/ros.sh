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

# sourced_ros: is a ROS 2 environment sourced? One that was built from source may have no ROS_DISTRO.
sourced_ros() {
  local prefix
  IFS=: read -ra prefixes <<<"${AMENT_PREFIX_PATH:-}"
  for prefix in "${prefixes[@]}"; do
    if [[ -d $prefix/share/rclcpp ]]; then return 0; fi
  done
  return 1
}

ros_setup=
if sourced_ros; then
  ros_case="${ROS_DISTRO:-of no name}, sourced"
else
  ros_setup=$(newest_ros)
  ros_case=
  if [[ -n $ros_setup ]]; then
    set +u # the ROS set-up files use unset variables
    # shellcheck disable=SC1090
    source "$ros_setup"
    set -u
    ros_case="${ROS_DISTRO:-unknown}, found as $ros_setup"
  fi
fi

skip_ros=()
if ((${#ros_packages[@]} == 0)); then
  say "ROS 2: ${ros_case:-not here}; no package needs it"
elif [[ -n $ros_case ]]; then
  say "ROS 2: $ros_case; the ROS packages are included: ${ros_packages[*]}"
else
  say "ROS 2: not here; the packages that need it are left out: ${ros_packages[*]}"
  skip_ros=(--packages-skip "${ros_packages[@]}")
fi
