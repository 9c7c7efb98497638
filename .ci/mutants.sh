#!/usr/bin/env bash
# mutants.sh [NAME...]: plants the faults of .ci/mutants.txt in a copy of stance_core, one at a time, and says which of them
# its tests catch; with NAMEs, those whose names contain one of them.
# shellcheck source=.ci/common.sh
source "$(dirname "$0")/common.sh"

say "mutants: one fault at a time in a copy of stance_core (log: $DIR/log)"
/usr/bin/python3 -B .ci/mutants.py .ci/mutants.txt "$DIR" "$@"
