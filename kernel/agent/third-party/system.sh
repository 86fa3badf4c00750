#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Unpacks the libraries of another architecture that an agent for it links, once, in the
# user's cache; nothing is installed.
#
# usage: system.sh ARCH     prints the folder; packages are those of ARCH.txt
#
# KVIEW_DEBIAN_MIRROR and KVIEW_DEBIAN_PACKAGES work as in scripts/debian-archive.sh.
set -euo pipefail

arch=${1:?usage: system.sh ARCH}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/../../../scripts/messages.sh"
. "$here/../../../scripts/debian-archive.sh"

list=$here/$arch.txt
[ -f "$list" ] || fail "there is no list of packages for $arch in $here."
folder=$kview_cache/third-party/system-$arch-$(sha256sum "$list" | cut -c1-12)
mkdir -p "$folder"
exec 9>"$folder/lock"
flock 9
if [ ! -f "$folder/.complete" ]; then
  while read -r sha256 path; do
    case $sha256 in '' | \#*) continue ;; esac
    dpkg-deb -x "$(debian_archive__file "$sha256" "$path")" "$folder"
  done <"$list"
  touch "$folder/.complete"
fi
printf '%s\n' "$folder"
