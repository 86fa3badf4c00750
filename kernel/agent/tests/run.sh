#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Runs tests and prints a closing line.
#
# usage: run.sh BUILD TEST...     a test prints "ok NAME ..." and "not ok NAME ..." lines
set -u
# Root's own: for whom sudo runs this is nothing to the agents that are tested.
unset SUDO_UID SUDO_GID SUDO_USER SUDO_COMMAND PKEXEC_UID DOAS_USER
build=$1
shift
log=$(mktemp)
trap 'rm -f "$log"' EXIT
for test; do
  echo "# $test"
  begin=$(date +%s)
  case $test in
    *.py) KVIEW_AGENT=$build/kview-agent python3 "$test" "$build" ;;
    *) "$test" ;;
  esac >"$log.out" 2>&1
  status=$?
  cat "$log.out"
  cat "$log.out" >>"$log"
  rm -f "$log.out"
  echo "# $test took $(($(date +%s) - begin)) s"
  # A test that dies must count, whatever it printed before.
  [ $status -eq 0 ] || grep -q '^not ok' "$log" || echo "not ok $test ended with status $status" | tee -a "$log"
done
passed=$(grep -c '^ok ' "$log")
failed=$(grep -c '^not ok ' "$log")
known=$(grep -c '^known ' "$log")
[ "$known" -eq 0 ] || echo "# $known are known not to hold yet, see tests/known-reds.txt"
skipped=$(grep -c '^skipped ' "$log")
[ "$skipped" -eq 0 ] && skipped= || skipped=", $skipped skipped"
echo "$passed passed, $failed failed$skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
