# shellcheck shell=bash
# Shared by the scripts beside it, which source it. Everything runs from the top of the tree.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# Where a build puts its things. DIR is empty for the normal build, .variant/NAME for the others.
# shellcheck disable=SC2034  # used where this file is sourced
build_base=${DIR:+$DIR/}build
# shellcheck disable=SC2034
install_base=${DIR:+$DIR/}install
log_dir=${DIR:+$DIR/}log

say() { printf '==> %s\n' "$*"; }
fail() {
  printf '\nstance: %s\n' "$*" >&2
  exit 1
}

# logged NAME COMMAND...: the output goes to $log_dir/NAME.log and is shown only if COMMAND fails.
logged() {
  local log=$log_dir/$1.log
  shift
  mkdir -p "$log_dir"
  "$@" >"$log" 2>&1 </dev/null && return 0
  printf '\n---- the last lines of %s ----\n' "$log" >&2
  tail -n 40 "$log" >&2
  printf -- '---- all of it: %s ----\n' "$log" >&2
  return 1
}

# is_complete_colcon PROGRAM: does it have the verbs and options that the scripts use?
is_complete_colcon() {
  local help
  "$1" test --help >/dev/null 2>&1 && "$1" test-result --help >/dev/null 2>&1 || return 1
  help=$("$1" build --help 2>/dev/null) || return 1
  [[ $help == *--metas* && $help == *--packages-skip* && $help == *--cmake-args* ]]
}

# find_colcon: prints the colcon to use. The one in PATH may be a broken shim of another Python,
# so Debian's own is tried as well.
find_colcon() {
  local program
  for program in colcon /usr/bin/colcon; do
    if command -v "$program" >/dev/null && is_complete_colcon "$program"; then
      echo "$program"
      return 0
    fi
  done
  return 1
}
