#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Fetches a library of table.txt and unpacks it, once, in the user's cache.
#
# usage: fetch.sh NAME     prints the folder of the unpacked sources
#
# KVIEW_DEBIAN_MIRROR and KVIEW_DEBIAN_PACKAGES work as in scripts/debian-archive.sh.
set -euo pipefail

name=${1:?usage: fetch.sh NAME}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/../../../scripts/messages.sh"
. "$here/../../../scripts/debian-archive.sh"

read -r version sha256 path < <(sed -n "s/^$name[[:space:]]\{1,\}//p" "$here/table.txt") ||
  fail "$name is not in $here/table.txt."
folder=$kview_cache/third-party/$name-$version-${sha256:0:12}
mkdir -p "$folder"
exec 9>"$folder/lock"
flock 9

if [ ! -f "$folder/source/.complete" ]; then
  tarball=$(debian_archive__file "$sha256" "$path")
  rm -rf "$folder/source"
  mkdir -p "$folder/source"
  tar -xf "$tarball" -C "$folder/source" --strip-components=1
  touch "$folder/source/.complete"
fi
printf '%s\n' "$folder/source"
