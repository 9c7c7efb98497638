#!/usr/bin/env bash
# build.sh [CMAKE_ARGUMENT...]: builds all packages with colcon into $DIR/build and $DIR/install.
# BUILD_TYPE is Release unless set. colcon reads colcon.meta by itself: it is in this folder.
# shellcheck source=.ci/common.sh
source "$(dirname "$0")/common.sh"
# shellcheck source=.ci/ros.sh
source .ci/ros.sh
colcon=$(find_colcon) || fail "no usable colcon. Run this again without SETUP=no, or install colcon with its cmake,
ros, metadata, package-selection and test-result extensions."

# One package at a time, a compiler per core, but 2 GB of memory for each.
memory_gb=$(awk '/^MemAvailable/ {print int($2 / 1048576)}' /proc/meminfo)
jobs=$(nproc)
if ((memory_gb / 2 < jobs)); then jobs=$((memory_gb / 2)); fi
if ((jobs < 1)); then jobs=1; fi
jobs=${JOBS:-$jobs}
unset MFLAGS MAKELEVEL MAKEOVERRIDES # of the make that called us
export MAKEFLAGS="-j$jobs"

build_type=${BUILD_TYPE:-Release}
arguments=("-DCMAKE_BUILD_TYPE=$build_type" -DCMAKE_EXPORT_COMPILE_COMMANDS=ON)
if command -v ccache >/dev/null; then arguments+=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache); fi
if [[ -n ${COMPILER:-} ]]; then
  command -v "$COMPILER" >/dev/null || fail "there is no compiler called $COMPILER here"
  arguments+=("-DCMAKE_CXX_COMPILER=$COMPILER")
fi
arguments+=("$@")

note=
if [[ ! -d $build_base ]]; then note="; the first time takes some minutes"; fi
say "build: with colcon, $build_type, $jobs at a time, into $install_base (log: $log_dir/build.log)$note"
rm -rf "$log_dir/colcon"
logged build "$colcon" --log-base "$log_dir/colcon" build \
  --base-paths packages --build-base "$build_base" --install-base "$install_base" \
  --executor sequential --event-handlers console_direct+ \
  "${skip_ros[@]}" --cmake-args "${arguments[@]}" ||
  fail "the build failed: the first line with 'error' above, or in $log_dir/build.log, is the place to look."
