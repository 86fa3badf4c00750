# SPDX-License-Identifier: EPL-2.0
# Sourced after messages.sh, with $root set: finds what a build needs, and installs what it may.
#
#   KVIEW_SKIP_PACKAGES=1   trust that everything is installed (no Debian, or no apt)

. "$root/features/org.kview.feature/rootfiles/find-java.sh"
cache=${XDG_CACHE_HOME:-$HOME/.cache}/kview-workbench
maven_version=3.9.9

# Both are still used by Maven and its plugins, which then would warn on every start.
# It lives too short for the optimising compiler to save the time that it takes.
export MAVEN_OPTS="--enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow -XX:TieredStopAtLevel=1 -XX:+UseSerialGC ${MAVEN_OPTS:-}"

# Prints which of the packages (lines as in debian-packages.txt) are not installed.
missing_packages() { # LINE...
  local installed line
  installed=" $(dpkg-query -W -f '${db:Status-Status} ${Package} ' | sed 's/\binstalled \([^ ]*\)/=\1/g') "
  for line in "$@"; do
    local alternative found=
    for alternative in ${line//|/ }; do
      case $installed in *" =$alternative "*) found=1 ;; esac
    done
    [ -n "$found" ] || printf '%s\n' "$line"
  done
}

# Prints the first name of each line that apt knows, or the first one at all.
installable_names() { # LINE...
  local line name
  for line in "$@"; do
    for name in ${line//|/ }; do
      if apt-cache show "$name" >/dev/null 2>&1; then break; fi
      name=${line%%|*}
    done
    printf '%s\n' "$name"
  done
}

install_packages() { # LINE...
  local as_root=() names apt_get
  if [ "$(id -u)" != 0 ]; then
    if sudo -n true 2>/dev/null; then
      as_root=(sudo -n)
    else
      mapfile -t names < <(installable_names "$@")
      fail "packages are missing; install them and start again: sudo apt-get install --no-install-recommends ${names[*]}"
    fi
  fi
  apt_get=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=300)
  "${apt_get[@]}" update >&2 || say "apt-get update failed; going on with the package lists that are there."
  mapfile -t names < <(installable_names "$@")
  say "installing ${names[*]}"
  "${apt_get[@]}" install --no-install-recommends "${names[@]}" >&2 ||
    fail "could not install packages; see what apt-get says above, then install them and start again: apt-get install --no-install-recommends ${names[*]}"
}

ensure_packages() {
  [ -z "${KVIEW_SKIP_PACKAGES:-}" ] || return 0
  local wanted missing
  mapfile -t wanted < <(grep -Ev '^(#|$)' "$root/scripts/debian-packages.txt")
  command -v dpkg-query >/dev/null ||
    fail "this machine has no Debian packages; install what scripts/debian-packages.txt names in your system's own way, set KVIEW_SKIP_PACKAGES=1 and start again."
  mapfile -t missing < <(missing_packages "${wanted[@]}")
  [ ${#missing[@]} = 0 ] || install_packages "${missing[@]}"
}

# Sets JAVA_HOME to a JDK that is new enough.
ensure_jdk() {
  local home package=openjdk-$KVIEW_JAVA_VERSION-jdk-headless
  if ! home=$(find_java javac) && [ -z "${KVIEW_SKIP_PACKAGES:-}" ] && apt-cache show "$package" >/dev/null 2>&1; then
    install_packages "$package"
    home=$(find_java javac) || true
  fi
  [ -n "${home:-}" ] ||
    fail "found no JDK $KVIEW_JAVA_VERSION or later in JAVA_HOME, /usr/lib/jvm or the PATH, and apt offers none ($package); unpack one into /usr/lib/jvm, or set JAVA_HOME to where it is."
  export JAVA_HOME=$home
}

# Sets $maven to a Maven that Tycho accepts (3.9 or later).
ensure_maven() {
  local version
  maven=$cache/maven-$maven_version/bin/mvn
  [ ! -x "$maven" ] || return 0
  if version=$(mvn -v 2>/dev/null | sed -n 's/.*Apache Maven \([0-9.]*\).*/\1/p') && at_least "$version" 3.9; then
    maven=$(command -v mvn)
    return 0
  fi
  command -v mvn >/dev/null || install_packages maven
  say "fetching Maven $maven_version"
  local unpacked
  mkdir -p "$cache"
  unpacked=$(mktemp -d "$cache/maven.XXXXXX")
  # Away from our pom, which the distribution's Maven can't read, and on the distribution's Java.
  # shellcheck disable=SC2086 # KVIEW_MAVEN_ARGS are separated by blanks
  (cd "$unpacked" && env -u JAVA_HOME -u MAVEN_OPTS mvn -q -B -Dstyle.color=never ${KVIEW_MAVEN_ARGS:-} dependency:unpack "-Dartifact=org.apache.maven:apache-maven:$maven_version:tar.gz:bin" \
    "-DoutputDirectory=$unpacked") >&2 ||
    fail "could not fetch Maven $maven_version with $(command -v mvn); see above, or install a Maven of version 3.9 or later and put it first in the PATH."
  mv -T "$unpacked/apache-maven-$maven_version" "$cache/maven-$maven_version" 2>/dev/null || [ -x "$maven" ]
  rm -rf "$unpacked"
}

at_least() { # VERSION LEAST
  [ "$(printf '%s\n%s\n' "$2" "${1:-0}" | sort -V | head -n 1)" = "$2" ]
}

run_maven() {
  # shellcheck disable=SC2086 # KVIEW_MAVEN_ARGS are separated by blanks
  "$maven" -B -ntp ${KVIEW_MAVEN_ARGS:-} -f "$root/pom.xml" "$@"
}
