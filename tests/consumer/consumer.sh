#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# consumer.sh - builds and installs Acre as a user does, moves the installed tree elsewhere and
# builds programs against it in C and C++: through find_package, pkg-config, add_subdirectory and
# FetchContent.
#     tests/consumer/consumer.sh all|quadtree|shared WORK
# all: static libraries; also, the presets find what culling and kernels need.
# quadtree: without cglm, SIMDe and assimp, the quadtree as the only module. In a project that fetches Acre
# it is built with core alone.
# shared: BUILD_SHARED_LIBS, one library and one for import; both show public functions alone.
# A program that inserts, moves and queries takes at most 152 KiB, and 60 KiB without SIMDe.
set -euo pipefail
mode="$1"
mkdir -p "$2"
work="$(cd "$2" && pwd)"
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
source="$(cd "$here/../.." && pwd)"
unset CFLAGS CXXFLAGS LDFLAGS DESTDIR CMAKE_GENERATOR # make leaves files that name each object's headers
read -ra cc <<<"${CC:-cc}" # a compiler may be two words: ccache gcc
read -ra cxx <<<"${CXX:-c++}"

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
# Optimized where the size of a program counts; elsewhere builds are to take little time.
options=(-DCMAKE_BUILD_TYPE=Release -DACRE_BUILD_TESTS=OFF -DACRE_BUILD_TOOLS=OFF)
quick=("-DCMAKE_C_FLAGS_RELEASE=-O0 -DNDEBUG")
release=("-DCMAKE_C_FLAGS_RELEASE=-O2 -DNDEBUG")
consumer_options=(-DCMAKE_BUILD_TYPE=Release)
programs=(consumer_quadtree)
with_mpi=
if [ "$mode" = quadtree ]; then
    options+=(-DACRE_WITHOUT_CGLM=ON -DACRE_WITHOUT_SIMDE=ON)
    for package in cglm assimp PkgConfig; do
        options+=("-DCMAKE_DISABLE_FIND_PACKAGE_$package=ON")
    done
    consumer_options+=(-DWITHOUT_CULLING=ON)
elif [ "$mode" = shared ]; then
    options+=(-DBUILD_SHARED_LIBS=ON)
    release=("${quick[@]}")
fi

step "configure" cmake -S "$source" -B build -DCMAKE_INSTALL_PREFIX="$work/first" "${options[@]}" \
    "${release[@]}"
if [ "$mode" = quadtree ]; then
    step "build the quadtree" cmake --build build --target acre_quadtree
    if find build -name '*.a' | grep -v -e acre_core -e acre_quadtree; then
        echo "FAIL: acre_quadtree made other libraries as well"
        exit 1
    fi
fi
step "build" cmake --build build
if [ "$mode" = quadtree ]; then
    find build -name '*.o.d' >headers
    if [ ! -s headers ] || xargs grep -lE '/(cglm|simde|assimp)/' <headers; then
        echo "FAIL: the objects above need headers of cglm, SIMDe or assimp, or nothing says what they need"
        exit 1
    fi
fi
step "install" cmake --install build
mv first installed
if grep -rlF "$work" installed --include='*.cmake' --include='*.pc' --include='*.h'; then
    echo "FAIL: the installed files above name the folder they were built in"
    exit 1
fi
for paper in LICENSE README.md CHANGES.md; do
    if ! cmp -s "$source/$paper" "installed/share/doc/acre/$paper"; then
        echo "FAIL: $paper is not installed"
        exit 1
    fi
done
if [ -e installed/include/acre/culling.h ]; then
    programs+=(consumer_culling)
elif [ "$mode" != quadtree ]; then
    consumer_options+=(-DWITHOUT_CULLING=ON)
fi
if [ -e installed/include/acre/partition_mpi.h ]; then
    with_mpi=1
fi
if [ -e installed/include/acre/import.h ]; then
    programs+=(consumer_import)
    consumer_options+=(-DWITH_IMPORT=ON)
fi

# The size of a program in text and data: the linker leaves out what it does not call.
if [ "$mode" != shared ]; then
    limit=$((152 * 1024))
    [ "$mode" != quadtree ] || limit=$((60 * 1024))
    step "link a program" "${cc[@]}" -std=c17 -O2 -Iinstalled/include "$here/consumer_quadtree.c" -o small \
        -Linstalled/lib -lacre_quadtree -lacre_core -lm -Wl,--gc-sections
    bytes="$("${SIZE:-size}" small | awk 'NR == 2 { print $1 + $2 }')"
    echo "a program with the quadtree takes $bytes bytes of $limit"
    if [ "$bytes" -gt "$limit" ]; then
        echo "FAIL: that is too much"
        exit 1
    fi
fi

# What a shared library shows: functions that an installed header declares, and the call that failed
# checks make, which libraries share. Only the library for import needs the reader of files.
if [ "$mode" = shared ]; then
    if find installed -name '*.a' | grep .; then
        echo "FAIL: static libraries are installed as well"
        exit 1
    fi
    for library in installed/lib/libacre*.so; do
        nm -D --defined-only "$library" | awk '$2 == "T" { print $3 }' | while read -r name; do
            if [ "$name" != acre_assert_failed ] &&
                ! grep -rqw "$name" installed/include/acre; then
                echo "FAIL: $library shows $name"
                exit 1
            fi
        done
    done
    version="$(sed -n 's/^Version: //p' installed/lib/pkgconfig/acre.pc)"
    for library in installed/lib/libacre*.so; do
        name="$(basename "$library").${version%.*}"
        if ! readelf -d "$library" | grep SONAME | grep -qF "[$name]"; then
            echo "FAIL: $library does not name the interface of version $version: $name"
            exit 1
        fi
    done
    for component in library import; do # packages of their own, cmake/packages.cmake
        step "install $component" cmake --install build --component "$component" --prefix "$work/$component"
    done
    if ! ls library/lib/libacre.so.* >"$log" || [ -e library/include ] || ls library/lib/libacre_* import/lib/libacre.* 2>"$log"; then
        echo "FAIL: the component library is not libacre.so alone, or import has it"
        exit 1
    fi
    if [ -e installed/include/acre/import.h ] && [ ! -e installed/lib/libacre_import.so ]; then
        echo "FAIL: libacre_import.so is not installed"
        exit 1
    fi
    if readelf -d installed/lib/libacre.so | grep -q assimp; then
        echo "FAIL: libacre.so needs assimp"
        exit 1
    fi
    export LD_LIBRARY_PATH="$work/installed/lib"
fi

if [ "$mode" = all ]; then
    step "no circles of calls in optimized libraries" "$source/tests/scripts/call_circles.sh" installed/lib/libacre_*.a
fi

step "consumer: find_package" cmake -S "$here" -B consumer "-DCMAKE_PREFIX_PATH=$work/installed" \
    "${consumer_options[@]}"
step "consumer: build" cmake --build consumer
step "consumer: run" ctest --test-dir consumer --output-on-failure --no-tests=error

# add_subdirectory, as part of a program that is itself compiled carelessly, with shared libraries; static ones
# come by FetchContent, which calls it. It says nothing of itself, and brings libraries alone.
careless=(-DCMAKE_C_FLAGS=-ffast-math "${quick[@]}")
# what_cmake_says FOLDER: the last step's words, without times and the folder.
what_cmake_says() { sed -E "s/ \\([0-9.]+s\\)$//; s|$work/$1|FOLDER|" "$log"; }
# expect_quiet FOLDER: CMake says in it what it says of the same project without Acre.
expect_quiet() {
    what_cmake_says "$1" >with
    step "consumer: configure without Acre" cmake -S "$here" -B without -DWITHOUT_ACRE=ON \
        "${consumer_options[@]}" "${careless[@]}"
    what_cmake_says without >without/says
    if ! grep -q '^-- Build files have been written to: FOLDER$' with || ! diff without/says with; then
        echo "FAIL: Acre says the lines above inside another project"
        exit 1
    fi
}
if [ "$mode" = all ]; then
    step "consumer: add_subdirectory" cmake -S "$here" -B inside "-DACRE_SOURCE=$source" -DBUILD_SHARED_LIBS=ON \
        "${consumer_options[@]}" "${options[@]}" "${careless[@]}"
    expect_quiet inside
    step "consumer: build" cmake --build inside
    step "consumer: run" ctest --test-dir inside --output-on-failure --no-tests=error
elif [ "$mode" = quadtree ]; then
    step "consumer: FetchContent" cmake -S "$here" -B fetched "-DACRE_SOURCE=$source" -DWITH_FETCH=ON \
        "${consumer_options[@]}" "${careless[@]}"
    expect_quiet fetched
    step "consumer: build" cmake --build fetched
    find fetched -name '*.o' >objects
    if ! grep -q acre_quadtree objects || grep -v -e /acre_core.dir/ -e /acre_quadtree.dir/ -e /consumer_quadtree objects; then
        echo "FAIL: a program that links acre::quadtree alone does not build it, or builds the objects above as well"
        exit 1
    fi
    echo "a program that links acre::quadtree alone builds $(grep -c /acre_ objects) objects of Acre's"
    step "consumer: run" ctest --test-dir fetched --output-on-failure --no-tests=error
    if find fetched -name 'test_*' -o -name acre -type f -perm /1 | grep .; then
        echo "FAIL: the files above are tests or tools of Acre"
        exit 1
    fi
fi

# pkg-config with plain compilers; only a program that imports files names acre-import.
export PKG_CONFIG_PATH
PKG_CONFIG_PATH="$(dirname "$(find "$work/installed" -name acre.pc)")"
for program in "${programs[@]}"; do
    package=acre
    if [ "$program" = consumer_import ]; then
        package=acre-import
    elif pkg-config --static --libs acre | grep -q assimp; then
        echo "FAIL: acre.pc names assimp"
        exit 1
    fi
    # shellcheck disable=SC2046
    step "pkg-config: $program, C" "${cc[@]}" -std=c17 "$here/$program.c" -o "$program" \
        $(pkg-config --cflags --libs $package)
    step "pkg-config: run" "./$program"
    # shellcheck disable=SC2046
    step "pkg-config: $program, C++" "${cxx[@]}" -std=c++17 -x c++ "$here/$program.c" -x none \
        -o "$program-cpp" $(pkg-config --cflags --libs $package)
    step "pkg-config: run" "./$program-cpp"
done

if [ -n "$with_mpi" ]; then
    # shellcheck disable=SC2046
    step "pkg-config: consumer_mpi" mpicc -std=c17 "$here/consumer_mpi.c" -o consumer_mpi \
        $(pkg-config --cflags --libs acre-mpi)
    ranks=(mpirun)
    if grep -q 'Open MPI' <<<"$(mpirun --version)"; then
        ranks+=(--allow-run-as-root --oversubscribe)
    fi
    step "pkg-config: run" "${ranks[@]}" -n 2 ./consumer_mpi
fi

cd "$source"
# The presets, configured alone: each finds what this build found.
if [ "$mode" = all ]; then
    step "presets" cmake --list-presets=all
    presets=(release)
    if command -v x86_64-w64-mingw32-gcc >"$log" && command -v x86_64-w64-mingw32-g++ >"$log"; then
        presets+=(windows-mingw)
    else
        echo "the preset windows-mingw is not tested: its compilers are missing (Debian: mingw-w64)"
    fi
    for preset in "${presets[@]}"; do
        step "preset $preset" cmake --preset "$preset" -B "$work/$preset"
        step "preset $preset: its targets" cmake --build "$work/$preset" --target help
        if [ -e "$work/installed/include/acre/culling.h" ] && ! grep -qx '\.\.\. acre_culling' "$log"; then
            echo "FAIL: the preset $preset has no target acre_culling"
            exit 1
        fi
        if grep -q '^ACRE_HAS_SIMDE:INTERNAL=1' "$work/build/CMakeCache.txt" &&
            ! grep -q '^ACRE_HAS_SIMDE:INTERNAL=1' "$work/$preset/CMakeCache.txt"; then
            echo "FAIL: the preset $preset has the scalar kernels alone"
            exit 1
        fi
    done
fi
rm -rf "$work"
echo "consumer: ${programs[*]} built and run in C and C++"
