#!/bin/bash
# SPDX-License-Identifier: EPL-2.0
# Fills target-platform/bundles with the Trace Compass bundles that only Debian packages hold.
#
#   KVIEW_DEBIAN_MIRROR=URL     take the packages from there, not from the mirror that apt uses here
#   KVIEW_DEBIAN_PACKAGES=DIR   take the packages from this folder and download nothing
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/../scripts/messages.sh"

packages=$here/debian-packages.txt
bundle_list=$here/debian-bundles.txt
bundles=$here/bundles
cache=${XDG_CACHE_HOME:-$HOME/.cache}/kview-workbench/debs

entries() { grep -v '^#' "$1"; }
sha256_of() { sha256sum <"$1" | cut -d' ' -f1; }

# The base address of the Debian archive in apt's own sources, one-line and deb822 format.  Only
# entries for a Debian suite count: other vendors' archives hold none of our packages.
apt_mirror() {
  local etc=${KVIEW_APT_ETC:-/etc/apt} codename
  codename=$(. /etc/os-release && echo "${VERSION_CODENAME:-stable}")
  awk -v codename="$codename" '
    function is_debian(suites,    n, part, i) {
      n = split(suites, part, " ")
      for (i = 1; i <= n; i++)
        if (part[i] == codename || part[i] ~ /^(bullseye|bookworm|trixie|forky|sid|(old)*stable|testing|unstable)$/) return 1
      return 0
    }
    function flush_stanza() {
      if (types ~ /(^| )deb( |$)/ && enabled !~ /^(no|false|off|0)$/ && components ~ /(^| )main( |$)/ && is_debian(suites)) {
        sub(/ .*/, "", uris); print uris; exit
      }
      types = uris = suites = components = enabled = ""
    }
    FNR == 1 { flush_stanza() }
    FILENAME ~ /\.sources$/ {
      if ($0 ~ /^[ \t]*$/) { flush_stanza(); next }
      key = tolower($1); value = $0; sub(/^[^:]*:[ \t]*/, "", value)
      if (key == "types:") types = value
      else if (key == "uris:") uris = value
      else if (key == "suites:") suites = value
      else if (key == "components:") components = value
      else if (key == "enabled:") enabled = tolower(value)
      next
    }
    $1 == "deb" {
      sub(/^deb[ \t]+(\[[^]]*\][ \t]+)?/, "")
      if (is_debian($2) && $0 ~ / main( |$)/) { print $1; exit }
    }
    END { flush_stanza() }
  ' $(ls "$etc"/sources.list "$etc"/sources.list.d/*.list "$etc"/sources.list.d/*.sources 2>/dev/null) /dev/null | head -n 1
}

check() { # FILE SHA256
  local got
  got=$(sha256_of "$1")
  [ "$got" = "$2" ] || fail "${1##*/} is not the package that was pinned: expected SHA-256 $2, got $got in $1. Delete that file and start again, or point KVIEW_DEBIAN_PACKAGES at a folder with the right one."
}

# Leaves the verified package in the cache and prints its path.
provide() { # SHA256 POOL_PATH
  local name=${2##*/} file
  if [ -n "${KVIEW_DEBIAN_PACKAGES:-}" ]; then
    file=$KVIEW_DEBIAN_PACKAGES/$name
    [ -f "$file" ] || fail "the package $name is missing in KVIEW_DEBIAN_PACKAGES ($KVIEW_DEBIAN_PACKAGES); put it there (expected SHA-256 $1), or unset that variable to download it."
  else
    file=$cache/$name
    # A cached file that differs was cut short or tampered with: fetch it anew, then judge.
    if [ ! -f "$file" ] || [ "$(sha256_of "$file")" != "$1" ]; then download "$2" "$file"; fi
  fi
  check "$file" "$1"
  printf '%s\n' "$file"
}

download() { # POOL_PATH FILE
  local mirror=${KVIEW_DEBIAN_MIRROR:-$(apt_mirror)} part
  [ -n "$mirror" ] || fail "found no Debian mirror in apt's sources (/etc/apt); name one in KVIEW_DEBIAN_MIRROR, or a folder that holds the packages in KVIEW_DEBIAN_PACKAGES."
  say "downloading ${2##*/}"
  mkdir -p "${2%/*}"
  part=$2.part.$$
  # apt's own downloader, so that its proxies and mirror methods apply.
  if ! /usr/lib/apt/apt-helper download-file "${mirror%/}/$1" "$part" >"$part.log" 2>&1; then
    cat "$part.log" >&2
    rm -f "$part" "$part.log"
    fail "could not download ${2##*/} from $mirror; name a Debian archive that holds bullseye in KVIEW_DEBIAN_MIRROR, or a folder that holds the package in KVIEW_DEBIAN_PACKAGES."
  fi
  rm -f "$part.log"
  mv "$part" "$2"
}

stamp=$(cat "$packages" "$bundle_list" "$here/repack.py" | sha256sum | cut -d' ' -f1)
if [ "$(cat "$bundles/.stamp" 2>/dev/null || true)" = "$stamp" ]; then exit 0; fi

for tool in dpkg-deb python3; do
  command -v "$tool" >/dev/null || fail "$tool is needed to unpack the Trace Compass bundles; install the packages dpkg and python3."
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
while read -r sha path; do
  file=$(provide "$sha" "$path")
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
