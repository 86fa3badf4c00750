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
  if [ "$1" = 6.1-debug ]; then
    dir=$(debug_kernel_dir)
    [ -d "$dir/boot" ] || die "the kernel $1 has not been built yet: run $GUEST_DIR/build-debug-kernel"
    echo "$dir"
    return
  fi
  [ -f "$list" ] || die "unknown kernel or package list: $1"
  sum=$(sha256sum "$list" | cut -c1-12)
  dir=$GUEST_CACHE/$1-$sum
  if [ ! -d "$dir" ]; then
    mkdir -p "$GUEST_CACHE"
    tmp=$(mktemp -d "$GUEST_CACHE/.unpack.XXXXXX")
    while read -r sha archive path; do
      case $sha in ''|\#*) continue ;; esac
      deb=$(debian_archive__file "$sha" "$path" "$archive") || exit
      dpkg-deb -x "$deb" "$tmp" || die "cannot unpack $deb"
    done < "$list"
    # the first to finish wins; another one's copy is as good
    mv -T "$tmp" "$dir" 2>/dev/null || rm -rf "$tmp"
  fi
  echo "$dir"
}

# debug_kernel_dir: where build-debug-kernel puts what it makes of this source and configuration
debug_kernel_dir() {
  local sum
  sum=$(cat "$GUEST_DIR/packages/6.1-source.list" "$GUEST_DIR/debug-kernel.config" | sha256sum | cut -c1-12)
  echo "$GUEST_CACHE/6.1-debug-$sum"
}

# kernel_image DIR: the one kernel that was unpacked there; newer packages keep it with its modules
kernel_image() {
  local k
  for k in "$1"/boot/vmlinuz-* "$1"/usr/lib/modules/*/vmlinuz; do
    [ ! -f "$k" ] || { echo "$k"; return; }
  done
  die "no kernel in $1"
}

# vmlinux DIR: that kernel as it is to be loaded, for QEMU.  One that is packed with xz takes longer to unpack itself, under
# emulation, than to boot, so that is done here, once; it is not moved to a random address then.  Others unpack quickly.
vmlinux() {
  local image start length tmp
  image=$(kernel_image "$1") || exit
  # Linux's Documentation/arch/x86/boot.rst: setup_sects, payload_offset and payload_length; the last 4 bytes are a size
  start=$((($(od -An -tu1 -j 0x1f1 -N 1 "$image") + 1) * 512 + $(od -An -tu4 -j 0x248 -N 4 "$image")))
  length=$(($(od -An -tu4 -j 0x24c -N 4 "$image") - 4))
  [ "$(od -An -tx1 -j $start -N 6 "$image")" = ' fd 37 7a 58 5a 00' ] || { echo "$image"; return; }
  if [ ! -f "$1.vmlinux" ]; then
    tmp=$(mktemp "$1.XXXXXX")
    dd if="$image" iflag=skip_bytes,count_bytes bs=1M skip=$start count=$length status=none | xz -dc > "$tmp" ||
      die "cannot unpack $image"
    mv "$tmp" "$1.vmlinux"
  fi
  echo "$1.vmlinux"
}

# kernel_release DIR: of that kernel, as uname -r says
kernel_release() {
  local k
  k=$(kernel_image "$1") || exit
  case $k in
  */boot/*) echo "${k##*/vmlinuz-}" ;;
  *) k=${k%/vmlinuz} && echo "${k##*/}" ;;
  esac
}

# kernel_module DIR NAME FILE: a module of that kernel, unpacked; nothing for one that is built in
kernel_module() {
  local m
  m=$(find "$1"/lib/modules "$1"/usr/lib/modules -name "$2.ko*" 2>/dev/null | head -n 1) || true
  case $m in
  *.xz) xz -dc "$m" > "$3" ;;
  ?*) cp "$m" "$3" ;;
  esac
}

# kernel_compiler KERNEL: what modules for it are compiled with.  A kernel's headers want a
# compiler as new as the kernel's own: where the host's may be older there is a list of packages.
kernel_compiler() {
  local dir gcc
  [ -f "$GUEST_DIR/packages/$1-compiler.list" ] || { echo gcc; return; }
  dir=$(unpacked "$1-compiler") || exit
  gcc=$(cd "$dir" && ls usr/bin/*-gcc-[0-9]*) || exit
  echo "$GUEST_DIR/in-packages $dir /$gcc -wrapper $GUEST_DIR/in-packages,$dir"
}

# archive DIR [PRUNE...]: a cpio archive of the folder on stdout, all root's; PRUNE: paths in it to leave out
archive() {
  local dir=$1 p prune=(-false)
  shift
  for p; do prune+=(-o -path "./$p"); done
  (cd "$dir" && find . -mindepth 1 \( "${prune[@]}" \) -prune -o -print | cpio --quiet -o -H newc -R 0:0)
}

# initrd FILE COMMAND OVERLAY...: a sequence of cpio archives: busybox and the command, then what
# is laid over it, each a folder or an archive
initrd() {
  local file=$1 base=$1.base userland o
  userland=$(unpacked userland)
  mkdir -p "$base/bin" "$base/guest"
  cp "$userland/bin/busybox" "$base/bin/"
  install -m 755 "$GUEST_DIR/init" "$base/init"
  echo "$2" > "$base/guest/cmd"
  archive "$base" > "$file"
  shift 2
  for o; do
    if [ -d "$o" ]; then archive "$o"; else cat "$o"; fi
  done >> "$file"
}

# one_command WORDS...: as a line of shell; a single word is one already
one_command() {
  if [ $# = 1 ]; then printf '%s\n' "$1"; else printf '%q ' "$@"; fi
}

# archive_of LIST: a cpio archive of the packages of a list, without what only people read
archive_of() {
  local dir tmp
  dir=$(unpacked "$1")
  if [ ! -f "$dir.cpio" ]; then
    tmp=$(mktemp "$dir.XXXXXX")
    archive "$dir" usr/share/{doc,man,locale,info,lintian,bug} usr/lib/x86_64-linux-gnu/gconv usr/include > "$tmp"
    mv "$tmp" "$dir.cpio"
  fi
  echo "$dir.cpio"
}

# tell_death CONSOLE: the kernel's last words: from where it first says that something is wrong, else its last lines
tell_death() {
  local words
  words=$(grep -a -m 1 -A 60 -e 'BUG: ' -e 'Oops: ' -e 'general protection fault' -e 'Kernel panic' "$1") ||
    words=$(tail -n 60 "$1")
  printf '%s: the guest died; its console:\n%s\n' "${0##*/}" "$words" >&2
}
