#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# setup.sh - installs what is missing to build and run Acre, and with `test` to test it.
#     tools/setup.sh [run|test|bench|view|web|mpi|hosts|release]
# With `view` comes what `acre view` draws with; `test` installs it, too. With `web` comes what
# tools/package.sh web compiles the pages with. With `mpi` comes what parts on many machines need;
# `test` installs it, too. With `hosts` come the engines that tools/examples/hosts and
# `acre bench --engines yes` use.
# With `bench` come the trees of others that `acre bench` compares with, and gnuplot for its charts; it
# runs without them, too. With `release` comes what tools/release.sh needs, but node, npm and Chromium:
# all that and the compilers of every kind of platform.
# On Debian it installs packages (as root or through sudo) and says which. Where it cannot, it prints
# a line to paste; it exits with 1 if Acre cannot be built without what is missing, and with 0 if
# only some tests or comparisons would be skipped. Prints nothing where nothing is missing.
set -euo pipefail

mode="${1:-run}"
case "$#:$mode" in
[01]:run | 1:test | 1:bench | 1:view | 1:web | 1:mpi | 1:hosts | 1:release) ;;
*)
    echo "usage: tools/setup.sh [run|test|bench|view|web|mpi|hosts|release]" >&2
    exit 2
    ;;
esac

# zlib1g-dev: what libassimp-dev's CMake package links to, though the package does not depend on it.
needed=(gcc libc6-dev cmake make pkg-config libcglm-dev libsimde-dev libassimp-dev zlib1g-dev
    libcjson-dev libpng-dev libmeshoptimizer-dev)
# libgl1-mesa-dri: Mesa's drivers, among them the one that needs no graphics card.
view=(g++ libglfw3-dev libepoxy-dev libegl-dev libgl1-mesa-dri libimgui-dev libstb-dev
    fonts-dejavu-core)
mpi=(libopenmpi-dev openmpi-bin)
# g++ and clang: headers as C++, results equal between compilers. The cross compilers and qemu: the same
# results on 32 bits, on arm64 and on s390x, which is big-endian. libclang-rt: clang's fuzzer. libtbb-dev:
# an example of jobs. valgrind: counts of instructions. python3: Acre as two files, and the package for
# numpy. groff-base, zsh: manual pages and completions. apngdis: reads animations. xvfb, xdotool: a window
# that nobody sees.
test=(g++ clang-14 clang libclang-rt-14-dev clang-format-14 libtbb-dev valgrind python3 python3-numpy
    python3-setuptools python3-wheel python3-venv groff-base zsh gcc-i686-linux-gnu libc6-dev-i386-cross
    gcc-aarch64-linux-gnu libc6-dev-arm64-cross gcc-s390x-linux-gnu libc6-dev-s390x-cross qemu-user-static
    "${view[@]:1}" apngdis xvfb xdotool "${mpi[@]}")
bench=(g++ libbullet-dev libbox2d-dev libboost-dev libembree-dev libnanoflann-dev gnuplot-nox)
hosts=(g++ libglfw3-dev libgl-dev libsdl2-dev libbullet-dev libogre-1.12-dev libopenscenegraph-dev xvfb)
web=(doxygen doxygen-awesome-css)
platforms=(musl-tools gcc-arm-linux-gnueabihf libc6-dev-armhf-cross gcc-riscv64-linux-gnu
    libc6-dev-riscv64-cross gcc-powerpc64-linux-gnu libc6-dev-ppc64-cross gcc-mingw-w64-x86-64
    g++-mingw-w64-x86-64 wine wine64)
optional=()
case "$mode" in
test) optional=("${test[@]}") ;;
bench) optional=("${bench[@]}") ;;
hosts) optional=("${hosts[@]}") ;;
view) needed+=("${view[@]}") ;;
web) needed+=(emscripten) optional=("${web[@]}") ;;
mpi) needed+=("${mpi[@]}") ;;
release)
    needed+=(emscripten debootstrap)
    optional=("${test[@]}" "${bench[@]}" "${hosts[@]}" "${web[@]}" "${platforms[@]}")
    ;;
esac

is_debian() {
    command -v dpkg-query >/dev/null && command -v apt-get >/dev/null && [ -r /etc/os-release ] &&
        grep -qE '^ID(_LIKE)?=.*debian' /etc/os-release
}

# Those of the packages that dpkg does not know as installed.
missing_packages() {
    local installed
    installed=" $(dpkg-query -W -f='${db:Status-Abbrev}${Package}\n' "$@" 2>/dev/null |
        sed -n 's/^ii *//p' | tr '\n' ' ')"
    for package in "$@"; do
        case "$installed" in
        *" $package "*) ;;
        *) echo "$package" ;;
        esac
    done
}

# Elsewhere: programs, pkg-config modules and headers, by the names that most systems have.
missing_tools() {
    local tools=(gcc cmake make pkg-config)
    if [ "$mode" = web ]; then
        tools+=(emcc)
    elif [ "$mode" = mpi ]; then
        tools+=(mpicc mpirun)
    fi
    for tool in "${tools[@]}"; do
        command -v "$tool" >/dev/null || echo "$tool"
    done
    local modules=(cglm assimp zlib libcjson:cjson libpng)
    if [ "$mode" = view ]; then
        modules+=(glfw3:glfw epoxy:libepoxy egl imgui stb)
    fi
    for module in "${modules[@]}"; do
        pkg-config --exists "${module%:*}" 2>/dev/null || echo "${module#*:}"
    done
    echo '#include <simde/x86/sse4.1.h>' | gcc -E -x c - >/dev/null 2>&1 || echo simde
}

missing_test_tools() {
    local tools=(g++)
    if [ "$mode" = run ]; then
        tools=()
    elif [ "$mode" = test ]; then
        tools+=(clang clang-format valgrind i686-linux-gnu-gcc aarch64-linux-gnu-gcc
            s390x-linux-gnu-gcc qemu-aarch64-static qemu-s390x-static groff zsh)
    fi
    for tool in "${tools[@]}"; do
        command -v "$tool" >/dev/null || echo "$tool"
    done
}

# stop REASON MISSING COMMAND: what is missing, a line to paste, and an exit status.
stop() {
    if [ -n "$needed_missing" ]; then
        echo "setup: $1; Acre cannot be built without: $needed_missing" >&2
    else
        echo "setup: $1; some tests or comparisons are skipped without: $2" >&2
    fi
    echo "    $3" >&2
    [ -n "$needed_missing" ] && exit 1
    exit 0
}

# The line that installs these with the system's package manager, as far as it is known here.
install_line() {
    local names=()
    local suffix="" manager="your-package-manager install"
    if command -v dnf >/dev/null; then
        manager="sudo dnf install" suffix=-devel
    elif command -v pacman >/dev/null; then
        manager="sudo pacman -S"
    elif command -v apk >/dev/null; then
        manager="sudo apk add" suffix=-dev
    elif command -v brew >/dev/null; then
        manager="brew install"
    fi
    for name in "$@"; do
        case "$name" in
        cglm | assimp | zlib | cjson | libpng | simde) names+=("$name$suffix") ;;
        *) names+=("$name") ;;
        esac
    done
    echo "$manager ${names[*]}"
}

if ! is_debian; then
    mapfile -t names < <(missing_tools)
    mapfile -t test_names < <(missing_test_tools)
    needed_missing="${names[*]}"
    if [ "${#names[@]}" -gt 0 ] || [ "${#test_names[@]}" -gt 0 ]; then
        stop "this is not Debian" "${test_names[*]}" "$(install_line "${names[@]}" "${test_names[@]}")"
    fi
    exit 0
fi

# Whether the mirror's name resolves; apt itself takes long to say so. A proxy resolves by itself.
mirror_is_there() {
    local site
    # shellcheck disable=SC2016
    site="$(apt-get indextargets --format '$(SITE)' 2>/dev/null | grep -m 1 '^http' || true)"
    if [ -z "$site" ] || [ -n "${http_proxy:-}" ] || apt-config dump 2>/dev/null | grep -qi proxy; then
        return 0
    fi
    site="${site#*://}"
    site="${site%%/*}"
    timeout 5 getent ahosts "${site%%:*}" >/dev/null
}

needed_missing="$(missing_packages "${needed[@]}" | tr '\n' ' ')"
missing="$needed_missing"
if [ "${#optional[@]}" -gt 0 ]; then
    missing+="$(missing_packages "${optional[@]}" | tr '\n' ' ')"
fi
if [ -n "$missing" ]; then
    apt="apt-get install -y --no-install-recommends ${missing% }"
    as_root=()
    if [ "$(id -u)" -ne 0 ]; then
        if ! command -v sudo >/dev/null; then
            stop "neither root nor sudo" "$missing" "su -c '$apt'"
        elif ! sudo -n true 2>/dev/null && ! { [ -t 0 ] && sudo -v; }; then
            stop "sudo wants a password" "$missing" "sudo $apt"
        fi
        as_root=(sudo)
    fi
    if ! mirror_is_there; then
        stop "the packages' server cannot be reached" "$missing" "sudo $apt"
    fi
    echo "setup: installing with apt-get: $missing"
    log="$(mktemp)"
    trap 'rm -f "$log"' EXIT
    options=(-q -o Acquire::Retries=1 -o Acquire::http::Timeout=10 -o Acquire::https::Timeout=10)
    # install PACKAGE...
    install() {
        "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install "${options[@]}" -y \
            --no-install-recommends "$@" >>"$log" 2>&1 </dev/null
    }
    # An older or newer system may lack some that only tests need: then the others alone.
    # shellcheck disable=SC2086
    if ! { "${as_root[@]}" apt-get update "${options[@]}" >"$log" 2>&1 </dev/null &&
        { install $missing || { [ -n "$needed_missing" ] && install $needed_missing; }; }; }; then
        grep -E '^E: ' "$log" | head -n 3 >&2 || tail -n 5 "$log" >&2
        stop "apt-get failed, see above" "$missing" "sudo $apt"
    fi
    echo "setup: done"
fi

version="$(cmake --version | sed -n 's/^cmake version //p')"
if [ "$(printf '%s\n3.20\n' "$version" | sort -V | head -n 1)" != 3.20 ]; then
    echo "setup: cmake $version is too old; Acre needs 3.20 or later" >&2
    exit 1
fi
