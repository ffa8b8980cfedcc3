#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# cross.sh - builds the recorded scenarios with one compiler and compares what they print with what
# every other compiler and processor must print too.
#     tests/scripts/cross.sh KIND WORK [quick]
# gcc, clang   optimized, for this processor; gcc builds the tools as well, since levels of optimisation
#              differ in what they warn of
# clang_all    as clang, and builds the tools and all tests
# fast         gcc inside a program built with -O3 -ffast-math and, on x86-64, AVX2 and FMA
# i686         32 bits, floats in SSE registers; x87 registers must be refused
# arm64, armhf, riscv64, ppc64, s390x
#              ppc64 and s390x are big-endian, s390x is compiled without GNU extensions, armhf has the
#              scalar kernels alone
# musl         another C library than GNU's
# windows      MinGW-w64, run by wine; also every example whose output is recorded, the libraries' own
#              tests, those of the C++ classes, and a program of another project with Acre as a DLL
# msvc         as windows, with the functions that MSVC has for bits and atomics: the scenarios, and the
#              tests of several threads. MSVC itself is not here
# quick        for other processors with -O1, which is compiled in half the time, and with fused operations,
#              which gcc otherwise makes from -O2 on. CI does so. One of the warnings is wrong at -O1
# Programs for another processor, 32-bit ones among them, run by themselves where the machine can, and
# under qemu-user elsewhere.
# Skips (status 77) where the compiler or qemu-user is missing, except in CI.
set -euo pipefail
kind="$1"
work="$2"
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
unset CFLAGS LDFLAGS

compiler=gcc
cxx="" # where C++ is compiled for another system
flags=""
targets=(scenarios)
tools=OFF
runner=""
processor=""
system=Linux
suffix=""
standard=()
case "$kind" in
gcc | clang | clang_all)
    compiler="${kind%_all}"
    case "$kind" in
    gcc) targets=(scenarios acre) tools=ON ;;
    clang_all) targets=(all) tools=ON ;;
    esac
    ;;
fast)
    flags="-O3 -ffast-math"
    if [ "$(uname -m)" = x86_64 ] && grep -qw avx2 /proc/cpuinfo && grep -qw fma /proc/cpuinfo; then
        flags="$flags -mavx2 -mfma"
    fi
    ;;
i686)
    compiler=i686-linux-gnu-gcc
    flags="-msse2 -mfpmath=sse"
    processor=i686
    runner=qemu-i386-static
    ;;
arm64)
    compiler=aarch64-linux-gnu-gcc
    processor=aarch64
    runner=qemu-aarch64-static
    ;;
armhf)
    compiler=arm-linux-gnueabihf-gcc
    processor=armv7l
    runner=qemu-arm-static
    ;;
riscv64)
    compiler=riscv64-linux-gnu-gcc
    processor=riscv64
    runner=qemu-riscv64-static
    ;;
ppc64)
    compiler=powerpc64-linux-gnu-gcc
    processor=ppc64
    runner=qemu-ppc64-static
    ;;
musl)
    compiler=musl-gcc
    processor="$(uname -m)"
    ;;
windows | msvc)
    compiler=x86_64-w64-mingw32-gcc
    processor=AMD64
    system=Windows
    runner=wine
    suffix=.exe
    targets=(all)
    tools=ON
    if [ "$kind" = msvc ]; then
        flags="-DACRE_USE_MSVC_FUNCTIONS -mxsave"
        targets=(scenarios test_access test_tasks_threads test_scene_tasks_threads
            test_quadtree_tasks_threads test_query_tasks_threads)
        tools=OFF
    else
        cxx=x86_64-w64-mingw32-g++
    fi
    ;;
s390x)
    compiler=s390x-linux-gnu-gcc
    # -std=c17, where gcc would evaluate floats as doubles.
    standard=(-DCMAKE_C_STANDARD=17 -DCMAKE_C_EXTENSIONS=OFF)
    processor=s390x
    runner=qemu-s390x-static
    ;;
*)
    echo "cross: unknown kind $kind" >&2
    exit 2
    ;;
esac

need() {
    local program
    for program in "$@"; do
        if ! command -v "$program" >/dev/null; then
            if [ -n "${CI:-}" ]; then
                echo "FAIL: $program is missing (tools/setup.sh test installs it)"
                exit 1
            fi
            echo "SKIP: $program is missing (tools/setup.sh test installs it)"
            exit 77
        fi
    done
}

need "$compiler" $cxx
mkdir -p "$work"
# Whether this kernel runs such programs: a small one tells.
if [[ "$runner" = qemu-* ]] && echo 'int main(void) { return 42; }' |
    "$compiler" -static -x c - -o "$work/small"; then
    status=0
    "$work/small" 2>/dev/null || status=$?
    [ "$status" -ne 42 ] || runner=""
fi
need $runner
if [ "$kind" = i686 ]; then
    # The test of the check for excess precision: floats in x87 registers are refused in clear words.
    if "$compiler" -std=gnu17 -mfpmath=387 -fsyntax-only -I "$here/../../engine/core/include" \
        "$here/../../engine/core/src/base.c" 2>"$work/refused" ||
        ! grep -q 'compile with -msse2 -mfpmath=sse' "$work/refused"; then
        cat "$work/refused"
        echo "FAIL: x87 registers are not refused"
        exit 1
    fi
fi
options=(-DCMAKE_BUILD_TYPE=Release -DCMAKE_C_COMPILER="$compiler" -DCMAKE_C_FLAGS="$flags"
    "${standard[@]}" -DACRE_WERROR=ON -DACRE_BUILD_TOOLS="$tools")
if [ "$tools" = OFF ] || [ -n "$processor" ]; then
    options+=(-DCMAKE_DISABLE_FIND_PACKAGE_assimp=ON)
fi
if [ -n "$processor" ]; then
    options+=(-DCMAKE_SYSTEM_NAME="$system" -DCMAKE_SYSTEM_PROCESSOR="$processor"
        "-DCMAKE_CROSSCOMPILING_EMULATOR=$runner"
        -DCMAKE_EXE_LINKER_FLAGS=-static -DCMAKE_FIND_ROOT_PATH=/nowhere -DACRE_HOST_HEADERS=ON)
fi

if [ -n "$processor" ] && [ "${3:-}" = quick ]; then
    options+=("-DCMAKE_C_FLAGS_RELEASE=-O1 -fexpensive-optimizations -DNDEBUG -Wno-maybe-uninitialized")
fi
if [ -n "$cxx" ]; then
    options+=(-DCMAKE_CXX_COMPILER="$cxx")
fi

if ! { cmake -S "$here/../.." -B "$work/build" "${options[@]}" &&
    cmake --build "$work/build" --target "${targets[@]}"; } >"$work/log" 2>&1; then
    cat "$work/log"
    echo "FAIL: ${targets[*]}: the build fails with $compiler $flags"
    exit 1
fi

failed=0
count=0
# With the widest kernel that the processor has, and with the reference.
for kernel in default scalar; do
    for expected in "$here"/../scenarios/scenario_*.expected; do
        name="$(basename "$expected" .expected)"
        count=$((count + 1))
        ACRE_KERNEL=$kernel "$here/scenario.sh" "$work/build/tests/$name$suffix" "$expected" "$runner" ||
            failed=$((failed + 1))
    done
done
if [ "$system" = Windows ]; then
    for test in "$work"/build/tests/test_*.exe; do
        count=$((count + 1))
        (cd "$work" && timeout 600 wine "$test" >output 2>&1) || {
            failed=$((failed + 1))
            echo "FAIL: $test"
            tail -n 5 "$work/output"
        }
    done
fi
if [ "$kind" = windows ]; then
    for expected in "$here"/../../tools/examples/*.expected; do
        name="$(basename "$expected" .expected)"
        # The configuration said that a library is missing which the example needs.
        ! grep -q "no example $name " "$work/log" || continue
        count=$((count + 1))
        ctest --test-dir "$work/build" -R "^example_$name\$" --no-tests=error --timeout 600 \
            --output-on-failure >"$work/output" 2>&1 || {
            failed=$((failed + 1))
            echo "FAIL: the example $name"
            tail -n 20 "$work/output"
        }
    done
    # A DLL shows what its headers declare and nothing else; a program of another project runs with it.
    count=$((count + 1))
    {
        cmake -S "$here/../.." -B "$work/shared" "${options[@]}" -DBUILD_SHARED_LIBS=ON \
            -DACRE_BUILD_TOOLS=OFF -DACRE_BUILD_TESTS=OFF -DCMAKE_SHARED_LINKER_FLAGS=-static-libgcc \
            -DCMAKE_INSTALL_PREFIX="$work/installed" &&
            cmake --build "$work/shared" --target install &&
            cmake -S "$here/../consumer" -B "$work/consumer" "${options[@]}" \
                "-DCMAKE_PREFIX_PATH=$work/installed" &&
            cmake --build "$work/consumer" &&
            cp "$work/installed/bin/libacre.dll" "$work/consumer" &&
            ctest --test-dir "$work/consumer" --output-on-failure --no-tests=error
    } >"$work/log" 2>&1 || {
        failed=$((failed + 1))
        echo "FAIL: a program with Acre as a DLL"
        tail -n 30 "$work/log"
    }
    count=$((count + 1))
    for name in $("${compiler%gcc}objdump" -p "$work/installed/bin/libacre.dll" |
        sed -n '/Ordinal.*Table/,/^$/s/^\t\[ *[0-9]*\] //p'); do
        if [ "$name" != acre_assert_failed ] && ! grep -rqw "$name" "$work/installed/include/acre"; then
            failed=$((failed + 1))
            echo "FAIL: libacre.dll shows $name"
            break
        fi
    done
fi
[ "$kind" = gcc ] || rm -rf "$work" # count_instructions.sh goes on with it
echo "$((count - failed)) passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$count" -gt 0 ]
