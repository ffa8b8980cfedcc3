# SPDX-License-Identifier: MIT
# npm.cmake - the npm package's WebAssembly module; tools/package.sh npm calls it with Emscripten. It
# stands alone: acre.js loads it without a script of Emscripten's. Its blocks are few and large, for which
# the small allocator does: 2.6 KB less by gzip.
add_executable(acre_npm web/npm/npm_tree.c web/npm/npm_culler.c web/npm/npm_instances.c
    web/npm/npm_near.c web/npm/npm_horizon.c)
set_target_properties(acre_npm PROPERTIES SUFFIX .wasm)
# Scripts call these functions, no C does.
target_compile_options(acre_npm PRIVATE -O3 -Wno-missing-prototypes)
target_link_libraries(acre_npm PRIVATE acre_flags acre_culling acre_scene acre_quadtree acre_occlusion)
target_include_directories(acre_npm PRIVATE ${PROJECT_SOURCE_DIR}/modules/occlusion/src
    ${PROJECT_SOURCE_DIR}/modules/quadtree/src)
target_link_options(acre_npm PRIVATE -Os -sSTANDALONE_WASM=1 --no-entry -sALLOW_MEMORY_GROWTH=1
    -sINITIAL_MEMORY=4194304 -sMAXIMUM_MEMORY=4294967296 -sTOTAL_STACK=262144 -sWASM_BIGINT=1
    -sMALLOC=emmalloc)
# What runs every frame is to be fast, the rest small. Each file gets one such flag alone: of two, the
# compiler heeds both in part.
function(acre_npm_optimize library hot)
    get_target_property(files ${library} SOURCES)
    get_target_property(folder ${library} SOURCE_DIR)
    foreach(file IN LISTS files)
        set(flag -Oz)
        if(file MATCHES "${hot}")
            set(flag -O3)
        endif()
        if(file MATCHES "_scalar" AND NOT ACRE_WITHOUT_SIMDE) # there, and never chosen
            set(flag -Oz)
        endif()
        # Files that CMake makes have the whole path already.
        get_filename_component(file "${file}" ABSOLUTE BASE_DIR "${folder}")
        set_property(SOURCE "${file}" TARGET_DIRECTORY ${library}
            APPEND PROPERTY COMPILE_OPTIONS ${flag})
    endforeach()
endfunction()
acre_npm_optimize(acre_quadtree
    "kernel_(volume|refresh)_|_(walk|sink|query|batch|edit|nodes|blocks|place)\\.c$")
acre_npm_optimize(acre_occlusion "horizon_kernel_sse4|horizon_walk")
acre_npm_optimize(acre_scene "scene_(kernel_.*|math|gather)\\.c$")
acre_npm_optimize(acre_culling "culling_(commit|query|place|trees)\\.c$")
acre_npm_optimize(acre_core "frustum\\.c$")
acre_npm_optimize(acre_camera "none")
acre_npm_optimize(acre_debug "none")
