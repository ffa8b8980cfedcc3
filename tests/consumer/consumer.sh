#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# consumer.sh - builds and installs Acre as a user does, moves the installed tree elsewhere and
# builds programs against it in C and C++: through find_package, pkg-config and add_subdirectory.
#     tests/consumer/consumer.sh all|quadtree WORK
# quadtree: without cglm, SIMDe and assimp, and the quadtree as the only module.
set -euo pipefail
mode="$1"
work="$2"
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
source="$(cd "$here/../.." && pwd)"
unset CFLAGS CXXFLAGS LDFLAGS DESTDIR

# Quiet unless it fails.
log="$work/log"
step() {
    echo "$1"
    shift
    if ! "$@" >"$log" 2>&1; then
        cat "$log"
        exit 1
    fi
}

rm -rf "$work"
mkdir -p "$work"
cd "$work"
options=(-DCMAKE_BUILD_TYPE=Release -DACRE_BUILD_TESTS=OFF -DACRE_BUILD_TOOLS=OFF)
consumer_options=(-DCMAKE_BUILD_TYPE=Release)
programs=(consumer_quadtree)
if [ "$mode" = quadtree ]; then
    options+=(-DACRE_WITHOUT_CGLM=ON -DACRE_WITHOUT_SIMDE=ON)
    for package in cglm assimp PkgConfig; do
        options+=("-DCMAKE_DISABLE_FIND_PACKAGE_$package=ON")
    done
    consumer_options+=(-DWITHOUT_CULLING=ON)
fi

step "configure" cmake -S "$source" -B build -DCMAKE_INSTALL_PREFIX="$work/first" "${options[@]}"
if [ "$mode" = quadtree ]; then
    step "build the quadtree" cmake --build build --target acre_quadtree
    if find build -name '*.a' | grep -v -e acre_core -e acre_quadtree; then
        echo "FAIL: acre_quadtree made other libraries as well"
        exit 1
    fi
fi
step "build" cmake --build build
if [ "$mode" = quadtree ] && find build -name '*.d' -exec grep -lE '/(cglm|simde|assimp)/' {} +; then
    echo "FAIL: the objects above need headers of cglm, SIMDe or assimp"
    exit 1
fi
step "install" cmake --install build
mv first installed
if grep -rlF "$work" installed --include='*.cmake' --include='*.pc' --include='*.h'; then
    echo "FAIL: the installed files above name the folder they were built in"
    exit 1
fi
if [ -e installed/lib/libacre_culling.a ]; then
    programs+=(consumer_culling)
elif [ "$mode" = all ]; then
    consumer_options+=(-DWITHOUT_CULLING=ON)
fi
if [ -e installed/lib/libacre_import.a ]; then
    programs+=(consumer_import)
    consumer_options+=(-DWITH_IMPORT=ON)
fi

step "consumer: find_package" cmake -S "$here" -B consumer "-DCMAKE_PREFIX_PATH=$work/installed" \
    "${consumer_options[@]}"
step "consumer: build" cmake --build consumer
step "consumer: run" ctest --test-dir consumer --output-on-failure --no-tests=error

# add_subdirectory, as part of a program that is itself compiled carelessly.
step "consumer: add_subdirectory" cmake -S "$here" -B inside "-DACRE_SOURCE=$source" \
    -DCMAKE_C_FLAGS="-O2 -ffast-math" "${consumer_options[@]}" "${options[@]}"
step "consumer: build" cmake --build inside
step "consumer: run" ctest --test-dir inside --output-on-failure --no-tests=error

# pkg-config with plain compilers. Acre's libraries are static, but only import stands on another
# package, which is what --static adds.
export PKG_CONFIG_PATH
PKG_CONFIG_PATH="$(dirname "$(find "$work/installed" -name acre.pc)")"
for program in "${programs[@]}"; do
    static=""
    if [ "$program" = consumer_import ]; then
        static=--static
    fi
    # shellcheck disable=SC2046,SC2086
    step "pkg-config: $program, C" cc -std=c17 "$here/$program.c" -o "$program" \
        $(pkg-config $static --cflags --libs acre)
    step "pkg-config: run" "./$program"
    # shellcheck disable=SC2046,SC2086
    step "pkg-config: $program, C++" c++ -std=c++17 -x c++ "$here/$program.c" -x none \
        -o "$program-cpp" $(pkg-config --static --cflags --libs acre)
    step "pkg-config: run" "./$program-cpp"
done

cd "$source"
rm -rf "$work"
echo "consumer: ${programs[*]} built and run in C and C++"
