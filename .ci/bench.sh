#!/usr/bin/env bash
# bench.sh: runs the benchmark programs of the build in $DIR: every program called bench_*.
# shellcheck source=.ci/common.sh
source "$(dirname "$0")/common.sh"

mapfile -t programs < <(find "$build_base" -type f -executable -name 'bench_*' | sort)
((${#programs[@]} > 0)) || fail "the build in $build_base holds no benchmark program (bench_*)"
for program in "${programs[@]}"; do
  say "bench: $program"
  "$program"
done
