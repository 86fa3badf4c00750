#!/bin/bash
# SPDX-License-Identifier: EPL-2.0
# Fills target-platform/bundles with the Trace Compass bundles that only Debian packages hold.
# How the packages are had, and what the environment says of it: see scripts/debian-archive.sh.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/../scripts/messages.sh"
. "$here/../scripts/debian-archive.sh"

packages=$here/debian-packages.txt
bundle_list=$here/debian-bundles.txt
bundles=$here/bundles

entries() { grep -v '^#' "$1"; }

stamp=$(cat "$packages" "$bundle_list" "$here/repack.py" | sha256sum | cut -d' ' -f1)
if [ "$(cat "$bundles/.stamp" 2>/dev/null || true)" = "$stamp" ]; then exit 0; fi

for tool in dpkg-deb python3; do
  command -v "$tool" >/dev/null || fail "$tool is needed to unpack the Trace Compass bundles; install the packages dpkg and python3."
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
while read -r sha path; do
  file=$(debian_archive__file "$sha" "$path")
  dpkg-deb -x "$file" "$work/root"
done < <(entries "$packages")

say "preparing the Trace Compass bundles"
mapfile -t jars < <(entries "$bundle_list" | sed "s|^|$work/root/usr/share/|")
# Built aside and moved, so that an interrupted run never leaves half a folder behind.
rm -rf "$bundles.new"
python3 "$here/repack.py" "$bundles.new" "${jars[@]}"
echo "$stamp" >"$bundles.new/.stamp"
rm -rf "$bundles"
mv "$bundles.new" "$bundles"
