#!/usr/bin/env bash
# instructions.sh: instructions per call of each algorithm on each robot, counted by callgrind. The same build gives
# the same numbers every time, however busy the machine is. Runs count_instructions of the build in $DIR.
# shellcheck source=.ci/common.sh
source "$(dirname "$0")/common.sh"

program=$(find "$build_base" -type f -executable -name count_instructions | head -n 1)
[[ -n $program ]] || fail "the build in $build_base holds no count_instructions: was valgrind installed when it was made?"
counts=$(mktemp -d)
trap 'rm -rf "$counts"' EXIT

say "instructions: $program under callgrind (log: $log_dir/callgrind.log)"
logged callgrind valgrind --tool=callgrind --instr-atstart=no --compress-strings=no \
  "--callgrind-out-file=$counts/%p" "$program" || fail "the count failed."

# Every dump says "desc: Trigger: Client Request: ROBOT BODIES ALGORITHM CALLS", then "totals: INSTRUCTIONS".
awk '
  function cell(robot, algorithm) { return ((robot, algorithm) in count) ? count[robot, algorithm] : "-" }
  /^desc: Trigger: Client Request: / { robot = $5; bodies[robot] = $6; algorithm = $7; calls = $8 }
  /^totals: / && robot != "" { count[robot, algorithm] = sprintf("%.0f", $2 / calls); robot = "" }
  END { for (r in bodies) print r, bodies[r], cell(r, "aba"), cell(r, "rnea"), cell(r, "crba+solve"),
          cell(r, "reroot"), cell(r, "pinned_aba"), cell(r, "pinned_reroot") }
' "$counts"/* | sort | awk '
  BEGIN { format = "%-22s %6s %8s %8s %11s %8s %11s %14s\n"
          printf format, "instructions per call", "bodies", "aba", "rnea", "crba+solve", "reroot",
            "pinned aba", "pinned reroot" }
  { printf format, $1, $2, $3, $4, $5, $6, $7, $8 }'
