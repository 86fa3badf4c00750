# SPDX-License-Identifier: EPL-2.0
# Sourced after messages.sh, with $root set: builds what changed.
#
#   KVIEW_MAVEN_ARGS   more arguments for every run of Maven, separated by blanks

product=$root/product/target/products/org.kview.workbench.product/linux/gtk/x86_64
export KVIEW_AGENT=$root/kernel/agent/build/kview-agent
export KVIEW_WORKLOADS=$root/kernel/workloads/build
out=$root/build

# The folders whose Makefile builds or tests something for the traced host.
native_parts() {
  local part
  for part in agent workloads kview guest; do
    [ ! -f "$root/kernel/$part/Makefile" ] || printf '%s\n' "$part"
  done
}

# One hash over the content of the sources, and over their names, so that a removed file counts too.
hash_of() { # PATH...
  cd "$root" && find "$@" -regextype posix-extended \
    -regex '[^/]+/([^/]+/)?(target|bin|src-gen|build|__pycache__)|target-platform/bundles' -prune -o -type f -print0 |
    LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum | cut -d' ' -f1
}
native_hash() { (hash_of kernel); }
product_hash() { (hash_of pom.xml bundles features product target-platform kernel/protocol docs/views.md docs/reading-a-latency-breakdown.md); }

is_fresh() { # NAME HASH
  [ "$(cat "$out/$1.stamp" 2>/dev/null)" = "$2" ]
}

# The lines that tell what went wrong, without Maven's advice on using Maven; else the log's end.
errors_in() { # LOG
  local lines
  lines=$(grep -E '^\[ERROR\] .*[^ ]|error:|Error [0-9]' "$1" |
    grep -Ev '\[Help 1\]|[Rr]e-run Maven|For more information about|After correcting the problems|mvn <args>' | head -n 30) || true
  if [ -n "$lines" ]; then printf '%s\n' "$lines"; else tail -n 20 "$1"; fi
}

# Runs one step with its output in a log, and says what it is; shows what went wrong when it fails.
step() { # NAME WHAT COMMAND...
  local log=$out/$1.log
  [ -z "$2" ] || say "building $2"
  shift 2
  if ! "$@" >"$log" 2>&1; then
    errors_in "$log" >&2
    fail "the build failed; the whole log is in $log."
  fi
}

# One build at a time in a checkout.
lock_build() {
  mkdir -p "$out"
  exec 8>"$out/lock"
  if ! flock -n 8; then
    say "waiting for another build in this checkout"
    flock 8
  fi
}
unlock_build() { exec 8>&-; }

prepare_tools() {
  ensure_packages
  ensure_jdk
  ensure_maven
}

# For whoever sees these words first.
part_text() { # PART
  case $1 in
  agent) echo "the agent, which measures on the traced host" ;;
  workloads) echo "the programs of the demo" ;;
  kview) echo "kviewctl, which shows what the kview module does" ;;
  guest) ;; # it has nothing to build
  *) echo "the $1" ;;
  esac
}

# On all CPUs, what each compiler says in one piece.
make_parallel() { make -j"$(nproc)" --output-sync=target "$@"; }

announce_build() {
  if [ -x "$product/kview-workbench" ]; then
    say "building what changed; the logs are in $out"
  else
    say "the first build: the agent, then the workbench. It takes minutes: 6 on a busy machine of two CPUs. The logs are in $out"
  fi
}

build_native() {
  local hash part
  hash=$(native_hash)
  ! is_fresh native "$hash" || return 0
  for part in $(native_parts); do
    step "$part" "$(part_text "$part")" make_parallel -C "$root/kernel/$part" 8>&-
  done
  echo "$hash" >"$out/native.stamp"
}

# The compiler keeps the classes of a source that is gone or has moved, and those that call what has changed in another bundle, so
# then all are compiled anew.
forget_gone_sources() {
  local now=$out/java-sources.now before=$out/java-sources folder
  (cd "$root" && find bundles tests -name target -prune -o -name '*.java' -exec cksum {} + | LC_ALL=C sort) >"$now"
  if [ -f "$before" ] && [ -z "$(LC_ALL=C comm -13 "$now" "$before")" ]; then
    mv "$now" "$before"
    return 0
  fi
  for folder in "$root"/bundles/*/ "$root"/tests/*/; do
    rm -rf "$folder"target/classes "$folder"target/test-classes "$folder"target/*.jar
    # What is left of a bundle that is gone itself.
    [ -e "$folder"META-INF ] || [ -e "$folder"pom.xml ] || { rm -rf "$folder"target; rmdir "$folder" 2>/dev/null || true; }
  done
  mv "$now" "$before"
}

build_product() {
  local hash
  hash=$(product_hash)
  ! { is_fresh product "$hash" && [ -x "$product/kview-workbench" ]; } || return 0
  "$root/target-platform/fetch-debian.sh" 8>&-
  forget_gone_sources
  step product "the workbench, which takes most of the time" run_maven -DskipTests -pl target-platform,product -am package 8>&-
  echo "$hash" >"$out/product.stamp"
}

# The first start of a build takes seconds longer than those after it, so it's part of the build for a user. Tests make it anew.
start_once() {
  "$product/kview-workbench" --version >"$out/start.log" 2>&1 8>&- || true
  cp "$out/product.stamp" "$out/started.stamp"
}

bring_up_to_date() {
  local hash
  hash=$(product_hash)
  if [ -x "$product/kview-workbench" ] && is_fresh product "$hash" && is_fresh started "$hash" && is_fresh native "$(native_hash)"; then return 0; fi
  . "$root/scripts/setup.sh"
  lock_build
  prepare_tools
  announce_build
  build_native
  build_product
  is_fresh started "$hash" || start_once
  unlock_build
}
