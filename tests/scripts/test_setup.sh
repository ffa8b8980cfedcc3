#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# test_setup.sh - what tools/setup.sh says where it cannot install, and what run.sh and test.sh say
# where they cannot write.
#     tests/scripts/test_setup.sh
# The programs that setup.sh asks are replaced by small ones in a folder of its own.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT
unset http_proxy https_proxy HTTP_PROXY HTTPS_PROXY

# system NAME: an empty system in a folder of this name, with the usual small programs.
system() {
    bin="$scratch/$1"
    mkdir "$bin"
    for tool in bash env cat sed tr grep head tail sort mktemp rm mkdir dirname awk timeout getent nproc; do
        ln -s "$(command -v "$tool")" "$bin/$tool"
    done
}
# program NAME TEXT: a shell script of the system.
program() {
    printf '#!%s\n%s\n' "$(command -v bash)" "$2" >"$bin/$1"
    chmod +x "$bin/$1"
}
# expect STATUS COMMAND...: runs it in the system; what it says is in $scratch/out.
expect() {
    local status=0
    PATH="$bin" "${@:2}" >"$scratch/out" 2>&1 </dev/null || status=$?
    if [ "$status" != "$1" ]; then
        echo "FAIL: $bin: ${*:2}: status $status, expected $1:"
        cat "$scratch/out"
        exit 1
    fi
}
# says TEXT...: each is in what it said.
says() {
    for text in "$@"; do
        if ! grep -qF -- "$text" "$scratch/out"; then
            echo "FAIL: $bin: '$text' is missing in:"
            cat "$scratch/out"
            exit 1
        fi
    done
}

# Not Debian: every package is named, in a line to paste.
system elsewhere
expect 1 tools/setup.sh run
says 'this is not Debian' 'install gcc cmake make pkg-config cglm assimp zlib cjson libpng simde'
program dnf ''
expect 1 tools/setup.sh run
says 'sudo dnf install' 'cglm-devel' 'libpng-devel' 'zlib-devel'
expect 2 tools/setup.sh nonsense
says 'usage: tools/setup.sh'

if ! grep -qE '^ID(_LIKE)?=.*debian' /etc/os-release 2>/dev/null; then
    echo "setup: says what is missing; this system is not Debian, so the rest is not tested"
    exit 0
fi

# Debian, neither root nor sudo.
system debian
program dpkg-query ''
program apt-get 'echo "apt-get must not run" >&2; exit 1'
program apt-config ''
program id 'echo 1000'
expect 1 tools/setup.sh run
says 'neither root nor sudo' "su -c 'apt-get install" 'libpng-dev' 'zlib1g-dev'

# Debian with all that is needed, but not what some tests need.
system without_compilers
program dpkg-query 'for name in "${@:3}"; do case "$name" in
    gcc-*|*-cross|clang*|qemu*) ;; *) echo "ii $name" ;; esac; done'
program apt-get ''
program id 'echo 1000'
expect 0 tools/setup.sh test
says 'some tests or comparisons are skipped without' 'qemu-user-static' "su -c 'apt-get install"

# Root without a network: two lines, and soon; apt-get by itself takes minutes.
system offline
program dpkg-query ''
program apt-get 'if [ "$1" = indextargets ]; then echo http://no-such-host.invalid/debian; else exit 1; fi'
program apt-config ''
program id 'echo 0'
SECONDS=0
expect 1 tools/setup.sh run
says "the packages' server cannot be reached" 'sudo apt-get install'
if [ "$SECONDS" -gt 30 ] || [ "$(wc -l <"$scratch/out")" -gt 2 ]; then
    echo "FAIL: without a network it took $SECONDS s and said:"
    cat "$scratch/out"
    exit 1
fi

# Everything is there, but the folder cannot be written.
system complete
program dpkg-query 'for name in "${@:3}"; do echo "ii $name"; done'
program apt-get ''
program id 'echo 1000'
program cmake 'echo "cmake version 3.25.0"'
for script in run test; do
    expect 1 env ACRE_BUILD=/proc/nothing "tools/$script.sh"
    says '/proc/nothing' 'cannot be written' 'ACRE_BUILD='
done
echo "setup: says what is missing, what to paste and where it cannot write"
