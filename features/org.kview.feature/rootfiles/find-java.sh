# SPDX-License-Identifier: EPL-2.0
# Sourced by the product's launcher and by the build, so that both settle on the same Java.

KVIEW_JAVA_VERSION=25

# Prints the home of the first Java of that version or later that has bin/TOOL: JAVA_HOME, then
# /usr/lib/jvm, then the PATH.  Reads the release file, because starting each java to ask takes long.
find_java() { # TOOL (java or javac)
  on_path=$(command -v "$1" || true)
  [ -z "$on_path" ] || on_path=$(dirname "$(dirname "$(readlink -f "$on_path")")")
  for home in "${JAVA_HOME:-}" /usr/lib/jvm/*"$KVIEW_JAVA_VERSION"* /usr/lib/jvm/* "$on_path"; do
    if [ -x "$home/bin/$1" ] && [ -r "$home/release" ]; then
      version=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$home/release")
      if [ "${version:-0}" -ge "$KVIEW_JAVA_VERSION" ]; then
        printf '%s\n' "$home"
        return 0
      fi
    fi
  done
  return 1
}
