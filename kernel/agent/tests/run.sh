#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Runs tests and prints a closing line.
#
# usage: [BESIDE="TEST..."] run.sh BUILD TEST...
#
# A test prints "ok NAME ..." and "not ok NAME ..." lines.  Those named in BESIDE as well run one after
# the other while the rest do so: such as compute, and judge no time.  Behind each test stand the
# seconds that it took by the clock, the seconds of processor that it and all it waited for had, and
# the status it ended with.
set -u
# Root's own: for whom sudo runs this is nothing to the agents that are tested.
unset SUDO_UID SUDO_GID SUDO_USER SUDO_COMMAND PKEXEC_UID DOAS_USER
build=$1
shift
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# Sets used: seconds of processor of all that was waited for until now.  No pipe and no subshell
# around "times": it would tell of that one's children.
processor() {
  times >"$1"
  used=$(awk 'NR == 2 { split($1, u, /[ms]/); split($2, s, /[ms]/)
    printf "%d", (u[1] + s[1]) * 60 + u[2] + s[2] }' "$1")
}
# one TEST FILE: prints what it prints, and keeps that in FILE.
one() {
  echo "# $1"
  begin=$(date +%s)
  processor "$2.times"
  before=$used
  case $1 in
    *.py) KVIEW_AGENT=$build/kview-agent python3 "$1" "$build" ;;
    *) "$1" ;;
  esac >"$2.out" 2>&1
  status=$?
  cat "$2.out"
  # A test that dies must count, whatever others printed before.
  [ $status -eq 0 ] || grep -q '^not ok' "$2.out" ||
    echo "not ok $1 ended with status $status" | tee -a "$2.out"
  cat "$2.out" >>"$2"
  processor "$2.times"
  echo "# $1 took $(($(date +%s) - begin)) s, $((used - before)) s of processor, status $status"
}
is_beside() {
  case " ${BESIDE:-} " in *" $1 "*) ;; *) false ;; esac
}
touch "$folder/beside" "$folder/rest"
(for test; do is_beside "$test" && one "$test" "$folder/beside"; done) >"$folder/printed" 2>&1 &
beside=$!
# In a shell of its own too, so that the other's processor time is not counted here.
(for test; do is_beside "$test" || one "$test" "$folder/rest"; done)
wait $beside
cat "$folder/printed"
count() {
  cat "$folder/rest" "$folder/beside" | grep -c "^$1 "
}
passed=$(count ok)
failed=$(count "not ok")
known=$(count known)
[ "$known" -eq 0 ] || echo "# $known are known not to hold yet, see tests/known-reds.txt"
skipped=$(count skipped)
[ "$skipped" -eq 0 ] && skipped= || skipped=", $skipped skipped"
echo "$passed passed, $failed failed$skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
