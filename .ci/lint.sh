#!/usr/bin/env bash
# lint.sh: clang-format and clang-tidy over all C++ of the tree, shellcheck over the scripts.
# clang-tidy reads the compile commands of the build in $DIR, so build first, with tests.
# shellcheck source=.ci/common.sh
source "$(dirname "$0")/common.sh"

# C++ files that git knows: committed, or new and not ignored.
mapfile -t files < <(git ls-files --cached --others --exclude-standard -- '*.hpp' '*.h' '*.cpp' '*.cc' | while read -r file; do
  if [[ -f $file ]]; then echo "$file"; fi
done)
((${#files[@]} > 0)) || fail "no C++ files found: is this a git checkout?"
status=0

say "lint: clang-format, ${#files[@]} files"
logged clang-format clang-format-14 --dry-run -Werror "${files[@]}" || {
  echo "To format them: clang-format-14 -i FILE..." >&2
  status=1
}

say "lint: shellcheck"
logged shellcheck shellcheck -x .ci/*.sh .ci/run || status=1

# tidy PACKAGE: clang-tidy over the sources of one package that its build compiles. clang's
# -Wconversion includes -Wsign-conversion, which g++'s does not: indices are int in this project.
# Of the files in processor/, which compile one text with options of g++'s own, one is enough.
tidy() {
  local commands=$build_base/$1/compile_commands.json
  /usr/bin/python3 -c '
import json, sys
top = sys.argv[2] + "/packages/"
files = {c["file"] for c in json.load(open(sys.argv[1])) if c["file"].startswith(top)}
print("\n".join(sorted(f for f in files if "/processor/avx" not in f)))' \
    "$commands" "$PWD" |
    xargs -r -n 1 -P "$(nproc)" clang-tidy-14 -p "$build_base/$1" --quiet --warnings-as-errors='*' \
      --extra-arg=-Wno-unknown-warning-option --extra-arg=-Wno-sign-conversion \
      --extra-arg=-Qunused-arguments 2>&1 |
    { grep -v ' warnings generated.$' || true; } # it counts what it hides
}

for commands in "$build_base"/*/compile_commands.json; do
  [[ -f $commands ]] || fail "no compile commands in $build_base: run make lint, which builds first"
  package=$(basename "$(dirname "$commands")")
  say "lint: clang-tidy, $package"
  logged "clang-tidy-$package" tidy "$package" || status=1
done

if ((status != 0)); then fail "lint found something: see above."; fi
say "lint: nothing to complain about"
