# SPDX-License-Identifier: GPL-2.0
# Shared by the guest's scripts: where things are kept, and how a pinned
# Debian package is had.  Nothing is installed: packages are unpacked below
# the cache, so that the host's own kernel and tools stay what they are.

GUEST_DIR=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$GUEST_DIR/../../scripts/messages.sh"
. "$GUEST_DIR/../../scripts/debian-archive.sh"
GUEST_CACHE=$kview_cache/guest

die() { echo "${0##*/}: $*" >&2; exit 2; }

need() {
  command -v "$1" >/dev/null || die "$1 is missing: apt-get install $2"
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
      deb=$(debian_archive__file "$sha" "$path" "$archive") || exit
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
