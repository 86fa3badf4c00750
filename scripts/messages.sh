# SPDX-License-Identifier: EPL-2.0
# Sourced. Progress and errors go to stderr: stdout belongs to the command that the user ran.

say() { printf 'kview: %s\n' "$*" >&2; }
fail() { say "$*"; exit 1; }
