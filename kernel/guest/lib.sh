# SPDX-License-Identifier: GPL-2.0
# Shared by the guest's scripts: where things are kept, and how a pinned
# Debian package is had.  Nothing is installed: packages are unpacked below
# the cache, so that the host's own kernel and tools stay what they are.

GUEST_DIR=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
CACHE=${XDG_CACHE_HOME:-$HOME/.cache}/kview-workbench
GUEST_CACHE=$CACHE/guest

die() { echo "${0##*/}: $*" >&2; exit 2; }

need() {
  command -v "$1" >/dev/null || die "$1 is missing: apt-get install $2"
}

# The mirror of the machine's own apt sources, unless KVIEW_DEBIAN_MIRROR names
# another: its URL up to and including the last /debian.
debian_mirror() {
  local uri
  if [ -n "${KVIEW_DEBIAN_MIRROR:-}" ]; then
    echo "${KVIEW_DEBIAN_MIRROR%/}"
    return
  fi
  uri=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null |
        grep -v '^ *#' | grep -oE '[a-z]+://[^ ]+/debian(/| |$)' | head -n 1)
  [ -n "$uri" ] || die "no Debian mirror in apt's sources: set KVIEW_DEBIAN_MIRROR"
  uri=${uri% }
  echo "${uri%/}"
}

# package_file SHA256 ARCHIVE PATH: prints where the verified .deb lies.
package_file() {
  local sha=$1 archive=$2 path=$3 name=${3##*/} base f
  for f in ${KVIEW_DEBIAN_PACKAGES:+"$KVIEW_DEBIAN_PACKAGES/$name"} "$CACHE/debs/$name"; do
    if [ -f "$f" ]; then
      echo "$sha  $f" | sha256sum --status -c - ||
        die "$f is not the pinned package (SHA-256 differs): remove it"
      echo "$f"
      return
    fi
  done
  mkdir -p "$CACHE/debs"
  base=$(debian_mirror)
  [ "$archive" = security ] && base=${base%/debian}/debian-security
  echo "fetching $name" >&2
  # apt's own helper: it knows the machine's proxy, and checks the hash
  /usr/lib/apt/apt-helper -qq download-file "$base/$path" "$f.part" "SHA256:$sha" >&2 || {
    rm -f "$f.part"
    die "$name can't be had from $base (a newer one may have replaced it there):" \
        "put that file into a folder and set KVIEW_DEBIAN_PACKAGES to it"
  }
  mv "$f.part" "$f"
  echo "$f"
}

# unpacked LIST: unpacks the packages of a list once, prints the folder.
unpacked() {
  local list=$GUEST_DIR/packages/$1.list dir sum tmp sha archive path deb
  [ -f "$list" ] || die "unknown kernel or package list: $1"
  sum=$(sha256sum "$list" | cut -c1-12)
  dir=$GUEST_CACHE/$1-$sum
  if [ ! -d "$dir" ]; then
    mkdir -p "$GUEST_CACHE"
    tmp=$(mktemp -d "$GUEST_CACHE/.unpack.XXXXXX")
    while read -r sha archive path; do
      case $sha in ''|\#*) continue ;; esac
      deb=$(package_file "$sha" "$archive" "$path") || exit
      nice -n 19 dpkg-deb -x "$deb" "$tmp" || die "cannot unpack $deb"
    done < "$list"
    # the first to finish wins; another one's copy is as good
    mv -T "$tmp" "$dir" 2>/dev/null || rm -rf "$tmp"
  fi
  echo "$dir"
}

# kernel_release DIR: the one kernel that was unpacked there, as uname -r says
kernel_release() {
  local k
  k=$(ls "$1"/boot/vmlinuz-* 2>/dev/null) || die "no kernel in $1"
  echo "${k##*/vmlinuz-}"
}
