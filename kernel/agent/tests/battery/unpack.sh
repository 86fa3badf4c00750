#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Unpacks a Debian package, and what it needs and is not installed, once, in the user's cache: nothing is
# installed, and no service starts.
#
# usage: unpack.sh PACKAGE     prints the folder
#
# By apt's own configuration, which checks what it downloads.  With KVIEW_SKIP_PACKAGES=1 nothing is downloaded.
set -euo pipefail

package=${1:?usage: unpack.sh PACKAGE}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/../../../../scripts/messages.sh"

command -v apt-get >/dev/null || fail "there is no apt-get."
cache=${XDG_CACHE_HOME:-$HOME/.cache}/kview-workbench/unpacked
folder=$cache/$package-$(. /etc/os-release && echo "${VERSION_CODENAME:-unknown}")-$(dpkg --print-architecture)
if [ -f "$folder/.complete" ]; then
  printf '%s\n' "$folder"
  exit
fi
[ -z "${KVIEW_SKIP_PACKAGES:-}" ] || fail "KVIEW_SKIP_PACKAGES is set."

mkdir -p "$cache"
exec 9>"$folder.lock"
flock 9
if [ ! -f "$folder/.complete" ]; then
  rm -rf "$folder" "$folder.new"
  mkdir -p "$folder.new/.debs"
  # What is here of the C library and its loader fits together.
  mapfile -t needed < <(apt-get -s -q install --no-install-recommends "$package" 2>"$folder.new/.log" |
    sed -n 's/^Inst \([^ ]*\) \(\[[^]]*\] \)\?(\([^ ]*\) .*/\1=\3/p' | grep -v '^libc[6-]')
  [ ${#needed[@]} != 0 ] || fail "apt offers no $package: $(tail -n 1 "$folder.new/.log")"
  say "downloading ${needed[*]}"
  (cd "$folder.new/.debs" && apt-get -q -o Acquire::Retries=1 -o Acquire::http::Timeout=20 -o Acquire::https::Timeout=20 \
    download "${needed[@]}") >"$folder.new/.log" 2>&1 ||
    fail "apt could not download $package: $(grep '^E:' "$folder.new/.log" | head -n 1)"
  for deb in "$folder.new/.debs"/*.deb; do dpkg-deb -x "$deb" "$folder.new"; done
  rm -rf "$folder.new/.debs" "$folder.new/.log"
  touch "$folder.new/.complete"
  mv -T "$folder.new" "$folder"
fi
printf '%s\n' "$folder"
