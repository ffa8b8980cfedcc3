#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# setup.sh - installs what is missing to build and run Acre, and with `test` to test it.
#     tools/setup.sh [run|test|bench|view]
# With `view` comes what `acre view` draws with; `test` installs it, too.
# With `bench` come the trees of others that `acre bench` compares with; it runs without them, too.
# On Debian it installs packages (as root or through sudo) and says which. Elsewhere it names what
# is missing and exits with 1. Prints nothing where nothing is missing.
set -euo pipefail

mode="${1:-run}"
case "$#:$mode" in
[01]:run | 1:test | 1:bench | 1:view) ;;
*)
    echo "usage: tools/setup.sh [run|test|bench|view]" >&2
    exit 2
    ;;
esac

# zlib1g-dev: what libassimp-dev's CMake package links to, though the package does not depend on it.
packages=(gcc libc6-dev cmake make pkg-config libcglm-dev libsimde-dev libassimp-dev zlib1g-dev
    libcjson-dev libpng-dev)
# libgl1-mesa-dri: Mesa's drivers, among them the one that needs no graphics card.
view_packages=(g++ libglfw3-dev libepoxy-dev libegl-dev libgl1-mesa-dri libimgui-dev libstb-dev
    fonts-dejavu-core)
if [ "$mode" = test ]; then
    packages+=("${view_packages[@]}")
    # g++ and clang: headers as C++, results equal between compilers. The cross compilers and qemu:
    # the same results on 32 bits, on arm64 and on s390x, which is big-endian. libclang-rt: clang's
    # fuzzer. valgrind: counts of instructions.
    packages+=(g++ clang-14 clang libclang-rt-14-dev clang-format-14 valgrind
        gcc-i686-linux-gnu libc6-dev-i386-cross
        gcc-aarch64-linux-gnu libc6-dev-arm64-cross gcc-s390x-linux-gnu libc6-dev-s390x-cross
        qemu-user-static)
elif [ "$mode" = bench ]; then
    packages+=(g++ libbullet-dev libbox2d-dev libboost-dev)
elif [ "$mode" = view ]; then
    packages+=("${view_packages[@]}")
fi

is_debian() {
    command -v dpkg-query >/dev/null && command -v apt-get >/dev/null && [ -r /etc/os-release ] &&
        grep -qE '^ID(_LIKE)?=.*debian' /etc/os-release
}

# The packages of the list that dpkg does not know as installed.
missing_packages() {
    local installed
    installed=" $(dpkg-query -W -f='${db:Status-Abbrev}${Package}\n' "${packages[@]}" 2>/dev/null |
        sed -n 's/^ii *//p' | tr '\n' ' ')"
    for package in "${packages[@]}"; do
        case "$installed" in
        *" $package "*) ;;
        *) echo "$package" ;;
        esac
    done
}

# Elsewhere: programs and pkg-config modules, named as Debian's packages where they have one.
missing_tools() {
    local tools=(gcc cmake make pkg-config)
    if [ "$mode" = test ]; then
        tools+=(g++ clang clang-format valgrind i686-linux-gnu-gcc aarch64-linux-gnu-gcc
            s390x-linux-gnu-gcc qemu-aarch64-static qemu-s390x-static)
    elif [ "$mode" = bench ] || [ "$mode" = view ]; then
        tools+=(g++)
    fi
    for tool in "${tools[@]}"; do
        command -v "$tool" >/dev/null || echo "$tool"
    done
    local modules=(cglm assimp libcjson)
    if [ "$mode" = test ] || [ "$mode" = view ]; then
        modules+=(glfw3 epoxy egl imgui stb)
    fi
    for module in "${modules[@]}"; do
        pkg-config --exists "$module" 2>/dev/null || echo "$module"
    done
    echo '#include <simde/x86/sse4.1.h>' | gcc -E -x c - >/dev/null 2>&1 || echo simde
}

if ! is_debian; then
    missing="$(missing_tools | tr '\n' ' ')"
    if [ -n "$missing" ]; then
        echo "setup: this is not Debian; please install: $missing" >&2
        echo "setup: (on Debian these are the packages: ${packages[*]})" >&2
        exit 1
    fi
    exit 0
fi

missing="$(missing_packages | tr '\n' ' ')"
if [ -n "$missing" ]; then
    as_root=()
    if [ "$(id -u)" -ne 0 ]; then
        if ! command -v sudo >/dev/null; then
            echo "setup: neither root nor sudo; please install: $missing" >&2
            exit 1
        fi
        as_root=(sudo)
    fi
    echo "setup: installing with apt-get: $missing"
    log="$(mktemp)"
    trap 'rm -f "$log"' EXIT
    # shellcheck disable=SC2086
    if ! { "${as_root[@]}" apt-get update -q &&
        "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
            apt-get install -q -y --no-install-recommends $missing; } >"$log" 2>&1 </dev/null; then
        tail -n 20 "$log" >&2
        echo "setup: apt-get failed; see above" >&2
        exit 1
    fi
    echo "setup: done"
fi

version="$(cmake --version | sed -n 's/^cmake version //p')"
if [ "$(printf '%s\n3.20\n' "$version" | sort -V | head -n 1)" != 3.20 ]; then
    echo "setup: cmake $version is too old; Acre needs 3.20 or later" >&2
    exit 1
fi
