#!/usr/bin/env bash
# instructions.sh [--check|--update]: instructions per call of each algorithm on each robot, counted by callgrind. The
# same build gives the same numbers every time, however busy the machine is. Runs count_instructions of the build in
# $DIR. --check holds the counts against the budget, as make test does; --update writes them into it.
# shellcheck source=.ci/common.sh
source "$(dirname "$0")/common.sh"

program=$(find "$build_base" -type f -executable -name count_instructions | head -n 1)
[[ -n $program ]] || fail "the build in $build_base holds no count_instructions: was valgrind installed when it was made?
make test builds it into build/; of another build, say which: DIR=.variant/NAME .ci/instructions.sh"
say "instructions: $program under callgrind"
exec /usr/bin/python3 -B packages/stance_model/bench/instructions.py "$program" "$@"
