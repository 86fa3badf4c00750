#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Runs tests and prints a closing line.
#
# usage: [QUIET="TEST..."] run.sh BUILD TEST...
#
# A test prints "ok NAME ..." and "not ok NAME ..." lines.  Those named in QUIET mainly judge figures: they run
# one after the other, in the order of that list, so what had best be alone is last there.  All others, which
# often wait, run beside them, three at a time and with less precedence, and four at a time when none of the former
# is left.  What a test printed is shown when it has ended; behind it stand the seconds that it took by the clock, the seconds of
# processor that it and all it waited for had, and the status it ended with, which is 124 where it hung.
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
# one TEST LANE: what it prints is kept in the lane's file, and shown.
one() {
  out=$folder/$2.out
  begin=$(date +%s)
  processor "$folder/$2.times"
  before=$used
  case $1 in
    *.py) KVIEW_AGENT=$build/kview-agent timeout -k 30 1200 python3 "$1" "$build" ;;
    *) timeout -k 30 1200 "$1" ;;
  esac >"$out" 2>&1
  status=$?
  # A test that dies must count, whatever others printed before.
  [ $status -eq 0 ] || grep -q '^not ok' "$out" || echo "not ok $1 ended with status $status" >>"$out"
  cat "$out" >>"$folder/$2.lane"
  processor "$folder/$2.times"
  {
    # Whole, whatever another lane has to show.
    flock 9
    echo "# $1"
    cat "$out"
    echo "# $1 took $(($(date +%s) - begin)) s, $((used - before)) s of processor, status $status"
    echo "$1" >>"$folder/ended"
  } 9>"$folder/showing"
}
is_among() { # TEST TEST...
  wanted=$1
  shift
  for among; do [ "$among" != "$wanted" ] || return 0; done
  return 1
}
# Takes the next test that no other lane has taken, until there is none.
beside() { # LANE TEST...
  lane=$1
  # shellcheck disable=SC2016 # the inner shell's parent is this one, and no other variable names it
  sh -c 'renice -n 10 $PPID' >/dev/null 2>&1
  shift
  taken=0
  for test; do
    taken=$((taken + 1))
    # shellcheck disable=SC2086 # they are separated by blanks
    is_among "$test" ${QUIET:-} || ! mkdir "$folder/taken-$taken" 2>/dev/null || one "$test" "$lane"
  done
}
touch "$folder/quiet.lane" "$folder/ended"
# Each in a shell of its own, so that the others' processor time is not counted there.
(beside one "$@") &
(beside other "$@") &
(beside third "$@") &
# shellcheck disable=SC2086
(
  for test in ${QUIET:-}; do ! is_among "$test" "$@" || one "$test" quiet; done
  beside fourth "$@"
) &
wait
ended=$(wc -l <"$folder/ended")
[ "$ended" -eq $# ] || echo "not ok run.sh: $ended of $# tests came to their end" | tee -a "$folder/quiet.lane"
count() {
  cat "$folder"/*.lane | grep -c "^$1 "
}
# Bounds are stated for 99 of 100: two of three recordings that are within say little about that, all first ones more.
beyond=$(count "# first recording beyond:")
recordings=$((beyond + $(count "# first recording within:")))
# More than one of twenty and three are not chance, though those of one recording depend on each other.
if [ $((beyond * 20)) -gt $((recordings + 60)) ]; then
  echo "not ok run.sh: $beyond of $recordings figures are beyond their stated bound in their first recording" | tee -a "$folder/quiet.lane"
else
  echo "# $beyond of $recordings figures were beyond their stated bound in their first recording"
fi
passed=$(count ok)
failed=$(count "not ok")
skipped=$(count skipped)
[ "$skipped" -eq 0 ] && skipped= || skipped=", $skipped skipped"
echo "$passed passed, $failed failed$skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
