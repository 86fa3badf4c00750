# SPDX-License-Identifier: EPL-2.0 OR GPL-2.0-only
# Sourced (bash) after messages.sh: files of the Debian archive, each pinned by SHA-256.
#
#   KVIEW_DEBIAN_MIRROR=URL     take them from there, not from the mirror that apt uses here
#   KVIEW_DEBIAN_PACKAGES=DIR   take them from this folder and download nothing
#
# The pins make signed package lists needless, and let a file of another suite than the
# machine's be had without touching apt's configuration.

kview_cache=${XDG_CACHE_HOME:-$HOME/.cache}/kview-workbench

# The base address of the Debian archive in apt's own sources, one-line and deb822 format.  Only
# entries for a Debian suite count: other vendors' archives hold none of our packages.
debian_archive__mirror() {
  local etc=${KVIEW_APT_ETC:-/etc/apt} codename
  if [ -n "${KVIEW_DEBIAN_MIRROR:-}" ]; then
    printf '%s\n' "${KVIEW_DEBIAN_MIRROR%/}"
    return
  fi
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
        sub(/ .*/, "", uris); sub(/\/$/, "", uris); print uris; exit
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
      if (is_debian($2) && $0 ~ / main( |$)/) { sub(/\/$/, "", $1); print $1; exit }
    }
    END { flush_stanza() }
  ' $(ls "$etc"/sources.list "$etc"/sources.list.d/*.list "$etc"/sources.list.d/*.sources 2>/dev/null) /dev/null | head -n 1
}

debian_archive__sha256() { sha256sum <"$1" | cut -d' ' -f1; }

# Prints where the verified file lies.  ARCHIVE is main, or security for Debian's security updates.
debian_archive__file() { # SHA256 POOL_PATH [ARCHIVE]
  local name=${2##*/} file got
  if [ -n "${KVIEW_DEBIAN_PACKAGES:-}" ]; then
    file=$KVIEW_DEBIAN_PACKAGES/$name
    [ -f "$file" ] || fail "the file $name is missing in KVIEW_DEBIAN_PACKAGES ($KVIEW_DEBIAN_PACKAGES); put it there (expected SHA-256 $1), or unset that variable to download it."
  else
    file=$kview_cache/debian/$name
    # A cached file that differs was cut short or tampered with: fetch it anew, then judge.
    if [ ! -f "$file" ] || [ "$(debian_archive__sha256 "$file")" != "$1" ]; then
      debian_archive__download "$2" "${3:-main}" "$file"
    fi
  fi
  got=$(debian_archive__sha256 "$file")
  [ "$got" = "$1" ] || fail "$name is not the file that was pinned: expected SHA-256 $1, got $got in $file. Delete that file and start again, or point KVIEW_DEBIAN_PACKAGES at a folder with the right one."
  printf '%s\n' "$file"
}

debian_archive__download() { # POOL_PATH ARCHIVE FILE
  local mirror part
  mirror=$(debian_archive__mirror)
  [ -n "$mirror" ] || fail "found no Debian mirror in apt's sources (/etc/apt); name one in KVIEW_DEBIAN_MIRROR, or a folder that holds ${3##*/} in KVIEW_DEBIAN_PACKAGES."
  [ "$2" = main ] || mirror=${mirror%/debian}/debian-$2
  say "downloading ${3##*/}"
  mkdir -p "${3%/*}"
  part=$3.part.$$
  # apt's own downloader, so that its proxies and mirror methods apply.
  if ! /usr/lib/apt/apt-helper download-file "$mirror/$1" "$part" >"$part.log" 2>&1; then
    cat "$part.log" >&2
    rm -f "$part" "$part.log"
    fail "could not download ${3##*/} from $mirror (a newer version may have replaced it there); name a Debian archive that holds it in KVIEW_DEBIAN_MIRROR, or a folder that holds the file in KVIEW_DEBIAN_PACKAGES."
  fi
  rm -f "$part.log"
  mv "$part" "$3"
}
