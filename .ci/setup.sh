#!/usr/bin/env bash
# setup.sh GROUP...: installs the system packages of these groups of .ci/packages that are missing.
# SETUP=no leaves the system alone, for people who bring their own libraries.
# shellcheck source=.ci/common.sh
source "$(dirname "$0")/common.sh"
export DEBIAN_FRONTEND=noninteractive

if [[ ${SETUP:-} == no ]]; then
  say "set-up: left out, as asked (SETUP=no)"
  exit 0
fi
if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
  fail "this is neither Debian nor Ubuntu, so the system packages cannot be installed for you.
Install what .ci/packages lists in your system's own way, then add SETUP=no to the command."
fi

# packages_of GROUP: the names of one group.
packages_of() { sed -n "s/^$1: *//p" .ci/packages | tr -s ' ' '\n'; }

# missing_of NAME...: those that are not installed.
missing_of() {
  local installed name
  installed=$(dpkg-query -W -f='${db:Status-Abbrev}:${Package}\n' "$@" 2>/dev/null | sed -n 's/^ii *://p') || true
  for name in "$@"; do
    grep -qxF "$name" <<<"$installed" || echo "$name"
  done
}

# The colcon packages that are missing. ROS has a colcon of its own, whose files collide with
# Debian's: where one is installed it is used, and where apt offers it, it is taken.
missing_colcon() {
  local missing
  mapfile -t names < <(packages_of colcon)
  missing=$(missing_of "${names[@]}")
  if [[ -z $missing ]] || find_colcon >/dev/null; then
    return 0
  fi
  if apt-cache show python3-colcon-common-extensions >/dev/null 2>&1; then
    missing=python3-colcon-common-extensions
  fi
  echo "$missing"
}

# How to become root: the words to put before a command. Fails if there is no way.
as_root() {
  if [[ $(id -u) == 0 ]]; then
    echo "env"
  elif ! command -v sudo >/dev/null; then
    return 1
  elif sudo -n true 2>/dev/null </dev/null; then
    echo "sudo -n env"
  elif [[ -t 0 && -z ${CI:-} ]]; then
    echo "sudo env"
  else
    return 1
  fi
}

names=()
for group in "$@"; do
  mapfile -t -O "${#names[@]}" names < <(packages_of "$group")
done
mapfile -t missing < <(missing_of "${names[@]}"; missing_colcon)

if ((${#missing[@]} == 0)); then
  say "set-up: all system packages are here"
  exit 0
fi

line="apt-get install -y --no-install-recommends ${missing[*]}"
by_hand="su -c 'apt-get update && $line'"
if command -v sudo >/dev/null; then by_hand="sudo apt-get update && sudo $line"; fi
if ! root=$(as_root); then
  fail "system packages are missing, and installing them needs root. Type this line, then try again:

  $by_hand
"
fi

say "set-up: installing missing system packages: ${missing[*]}"
if [[ $root == "sudo env" ]]; then
  echo "    (sudo may ask for your password)"
fi
apt="$root DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=600 -o Acquire::Retries=3"
# Stale lists of one broken source need not matter: the install that follows decides.
# shellcheck disable=SC2086  # $apt is several words
logged apt-update $apt update || echo "    apt-get update failed; trying with the package lists as they are"
# shellcheck disable=SC2086
logged apt-install $apt ${line#apt-get } ||
  fail "the system packages could not be installed. Once apt works again, this line does it by hand:

  $by_hand
"
if ! find_colcon >/dev/null; then
  fail "colcon is installed but incomplete (it needs the verbs build, test and test-result, and the
options --metas and --packages-skip). Install these: $(packages_of colcon | tr '\n' ' ')"
fi
