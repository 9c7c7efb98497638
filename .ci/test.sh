#!/usr/bin/env bash
# test.sh: runs every test of the build in $DIR: those of the packages, through colcon, then the
# system tests in test/. The last line says how many passed and failed; no test at all is a failure.
# shellcheck source=.ci/common.sh
source "$(dirname "$0")/common.sh"
# shellcheck source=.ci/ros.sh
source .ci/ros.sh >/dev/null # build.sh has said its line
colcon=$(find_colcon) || fail "no usable colcon: run make build first"

# System tests find the program and the installed packages by these.
export STANCE=$PWD/$install_base/stance_cli/bin/stance
export STANCE_INSTALL=$PWD/$install_base
export UBSAN_OPTIONS=${UBSAN_OPTIONS:-print_stacktrace=1}

say "test: the packages, with colcon test (log: $log_dir/test.log)"
# Results of an earlier run must not be counted again.
"$colcon" --log-base "$log_dir/colcon" test-result --test-result-base "$build_base" --delete-yes >/dev/null 2>&1 || true
package_status=0
logged test "$colcon" --log-base "$log_dir/colcon" test \
  --base-paths packages --build-base "$build_base" --install-base "$install_base" \
  --executor sequential --event-handlers console_direct+ "${skip_ros[@]}" || package_status=$?

system_log=$log_dir/system-test.log
rm -f "$system_log"
system_status=0
if compgen -G 'test/test_*.py' >/dev/null; then
  say "test: the whole program, with test/ (log: $system_log)"
  logged system-test /usr/bin/python3 -B -m unittest discover -s test -v || system_status=$?
else
  say "test: test/ holds no system tests"
fi

# The details of what failed in the packages; says nothing of the rest.
logged test-result "$colcon" --log-base "$log_dir/colcon" test-result --test-result-base "$build_base" --verbose ||
  package_status=1

# Prints the closing lines; fails if a test failed or none ran.
/usr/bin/python3 -B .ci/count_tests.py "$build_base" "$system_log" || exit 1
((package_status == 0 && system_status == 0)) || fail "a test program failed although each of its tests passed: see the logs above."
