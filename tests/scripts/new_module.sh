#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# new_module.sh - a new module is a folder and a line: in a copy of the sources one is planted, built with what
# it uses, installed, and found by another project. What is wrong about a module is refused.
#     tests/scripts/new_module.sh WORK
set -euo pipefail
source="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
rm -rf "$1"
mkdir -p "$1/copy/tests" "$1/user"
cd "$1"
unset CFLAGS CXXFLAGS LDFLAGS DESTDIR
failed=0
# accept NAME COMMAND...: the command succeeds.
accept() {
    if "${@:2}" >log 2>&1; then
        echo "ok   $1"
    else
        cat log
        echo "FAIL $1"
        failed=$((failed + 1))
    fi
}
# refuse TEXT COMMAND...: the command fails, and says the text in one of its lines or in several.
refuse() {
    if "${@:2}" >log 2>&1 || ! tr -s ' \n' ' ' <log | grep -qF "$1"; then
        cat log
        echo "FAIL it is not refused: $1"
        failed=$((failed + 1))
    else
        echo "ok   refused: $1"
    fi
}

cp -r "$source"/{CMakeLists.txt,LICENSE,README.md,CHANGES.md,CONTRIBUTING.md,cmake,engine,modules} copy
mkdir -p copy/tools/package copy/modules/planted/{src,include/acre}
cp "$source/tools/package/THIRD_PARTY.md" copy/tools/package
cp -r "$source"/tests/{README.md,scripts} copy/tests
cat >copy/modules/planted/CMakeLists.txt <<'EOF'
# SPDX-License-Identifier: MIT
acre_library(planted src/planted.c)
EOF
cat >copy/modules/planted/include/acre/planted.h <<'EOF'
// SPDX-License-Identifier: MIT
// planted.h - half of a box's width.
#ifndef ACRE_PLANTED_H
#define ACRE_PLANTED_H
#include <acre/bounds.h>
#ifdef __cplusplus
extern "C" {
#endif
ACRE_API float acre_planted(const acre_aabb *box);
#ifdef __cplusplus
}
#endif
#endif
EOF
cat >copy/modules/planted/src/planted.c <<'EOF'
// SPDX-License-Identifier: MIT
// planted.c - half of a box's width.
#include <acre/planted.h>

float acre_planted(const acre_aabb *box)
{
    return 0.5f * (box->max[0] - box->min[0]);
}
EOF
echo 'acre_module(planted USES core)' >>copy/cmake/modules.cmake
cat >user/CMakeLists.txt <<'EOF'
cmake_minimum_required(VERSION 3.20)
project(user LANGUAGES C)
find_package(acre CONFIG REQUIRED COMPONENTS ${WANTED})
if(TARGET acre::quadtree)
    message(FATAL_ERROR "there is more than was chosen")
endif()
add_executable(user user.c)
target_link_libraries(user PRIVATE acre::planted)
EOF
cat >user/user.c <<'EOF'
#include <acre/planted.h>
int main(void)
{
    const acre_aabb box = {{0, 0, 0}, {4, 1, 1}};
    return acre_planted(&box) == 2.0f ? 0 : 1;
}
EOF

# configure MODULES: of the copy, without a compiler's time.
# shellcheck disable=SC2317
configure() {
    cmake -S copy -B build -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG=-O0 -DACRE_WITHOUT_SIMDE=ON \
        "-DCMAKE_INSTALL_PREFIX=$PWD/installed" "-DACRE_MODULES=$1" "${@:2}"
}
accept "it is configured" configure planted
accept "it is built" cmake --build build --parallel 2
if find build -name '*.a' | grep -v -e libacre_core -e libacre_planted; then
    echo "FAIL: more than planted and what it uses was built"
    failed=$((failed + 1))
fi
accept "it is installed" cmake --install build
accept "it is found" cmake -S user -B found -DCMAKE_BUILD_TYPE=Debug "-DCMAKE_PREFIX_PATH=$PWD/installed" -DWANTED=planted
accept "a program links it" cmake --build found
accept "the program runs" found/user
accept "acre.pc has it" grep -q -e '-lacre_planted -lacre_core' installed/lib/pkgconfig/acre.pc
accept "it may include what it uses" copy/tests/scripts/layering.sh
refuse "this copy of acre was built without culling" cmake -S user -B without \
    "-DCMAKE_PREFIX_PATH=$PWD/installed" -DWANTED=culling
sed -i 's/^acre_module(import USES scene/& quadtree/' copy/cmake/modules.cmake
refuse "modules/import includes nothing of quadtree" copy/tests/scripts/layering.sh
for page in "engine/README.md: the diagram has not one line for modules/planted" \
    "tests/README.md does not name \`planted\`" \
    "import uses 'scene, occlusion; assimp, cJSON' in the diagram, and 'scene quadtree occlusion'"; do
    refuse "$page" copy/tests/scripts/module_pages.sh
done
echo '#include <acre/scene.h>' >>copy/modules/planted/src/planted.c
refuse "modules/planted may not use engine/scene" copy/tests/scripts/layering.sh
refuse "scene.h: No such file" cmake --build build
refuse "Acre has no module 'quadtre'; it has: core camera" configure quadtre
refuse "culling cannot be built here" configure culling -DACRE_WITHOUT_CGLM=ON
sed -i '/^acre_module(planted/d; s/^acre_module(camera/acre_module(planted USES scene)\n&/' copy/cmake/modules.cmake
refuse "planted uses scene, which has no line above it" configure ""
refuse "tests and tools need all modules" configure core -DACRE_BUILD_TESTS=ON

[ "$failed" -eq 0 ] && rm -rf "$PWD"
exit "$failed"
