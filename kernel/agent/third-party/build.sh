#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Builds a library of table.txt as a static archive, once, in the user's cache.
#
# usage: [CC=COMPILER] build.sh NAME     prints the prefix that holds include/ and lib/
set -eu

name=${1:?usage: build.sh NAME}
here=$(cd "$(dirname "$0")" && pwd)
source=$("$here/fetch.sh" "$name")
CC=${CC:-gcc}
machine=$("$CC" -dumpmachine)
prefix=${source%/source}/prefix-${machine%%-*}
system=
case ${machine%%-*} in aarch64) system=-I$("$here/system.sh" arm64)/usr/include ;; esac

# Raise it when a recipe below changes, so that caches are built anew.
recipe=1

build_libbpf() {
  make -s -C "$source/src" BUILD_STATIC_ONLY=1 CC="$CC" CFLAGS="-O2 -g0 -ffunction-sections -fdata-sections $system" \
    OBJDIR="$prefix/obj" PREFIX= LIBDIR=/lib INCLUDEDIR=/include UAPIDIR=/include DESTDIR="$prefix" \
    install install_uapi_headers
  rm -rf "$prefix/obj"
}

# Headers alone: what the decoder uses of it is inline.
build_zycore() {
  mkdir -p "$prefix/include"
  cp -r "$source/include/Zycore" "$prefix/include/"
}

# The decoder and its tables; neither formatter nor encoder.
build_zydis() {
  zycore=$("$here/build.sh" zycore-c)
  mkdir -p "$prefix/include" "$prefix/lib" "$prefix/obj"
  for unit in Decoder DecoderData MetaInfo Mnemonic Register Segment SharedData String Utils Zydis; do
    "$CC" -std=gnu11 -O2 -ffunction-sections -fdata-sections -DNDEBUG \
      -DZYDIS_STATIC_BUILD -DZYCORE_STATIC_BUILD -DZYDIS_DISABLE_ENCODER -DZYDIS_DISABLE_FORMATTER \
      -I"$source/include" -I"$source/src" -I"$zycore/include" \
      -c "$source/src/$unit.c" -o "$prefix/obj/$unit.o"
  done
  ar rcs "$prefix/lib/libZydis.a" "$prefix"/obj/*.o
  rm -rf "$prefix/obj"
  cp -r "$source/include/Zydis" "$zycore/include/Zycore" "$prefix/include/"
}

exec 8>"${source%/source}/lock"
flock 8
if [ "$(cat "$prefix/.recipe" 2>/dev/null)" != $recipe ]; then
  rm -rf "$prefix"
  mkdir -p "$prefix"
  case $name in
    libbpf) build_libbpf ;;
    zycore-c) build_zycore ;;
    zydis) build_zydis ;;
    *) echo "build.sh: no recipe for $name" >&2; exit 1 ;;
  esac >&2
  echo $recipe >"$prefix/.recipe"
fi
echo "$prefix"
