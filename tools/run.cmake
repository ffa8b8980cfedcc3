# SPDX-License-Identifier: MIT
# run.cmake - the program `acre`. Left out where what it needs was not built.
find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
    pkg_check_modules(ACRE_CJSON QUIET IMPORTED_TARGET GLOBAL libcjson)
endif()
if(NOT TARGET acre_culling OR NOT TARGET acre_import_sandbox OR NOT ACRE_HAS_CGLM)
    message(STATUS "acre (the program) is left out: it needs culling, import and cameras "
        "(Debian: libassimp-dev, libcglm-dev)")
    return()
endif()
if(NOT ACRE_CJSON_FOUND)
    message(STATUS "acre (the program) is left out: cJSON is missing (Debian: libcjson-dev)")
    return()
endif()
find_package(PNG QUIET)
if(NOT PNG_FOUND)
    message(STATUS "acre (the program) is left out: libpng is missing (Debian: libpng-dev)")
    return()
endif()
set_target_properties(PNG::PNG PROPERTIES IMPORTED_GLOBAL TRUE) # tests link it, too

# Everything but main, so that tests can call it.
add_library(acre_run_parts STATIC run.c run_options.c run_world.c run_frames.c run_check.c
    run_casters.c run_rays.c run_statistics.c run_brute.c run_bars.c run_report.c run_json.c run_picture.c run_footprint.c
    picture_page.c option_values.c json_writer.c)
target_link_libraries(acre_run_parts PRIVATE acre_flags
    PUBLIC acre_tool_parts acre_import_sandbox acre_culling acre_import PkgConfig::ACRE_CJSON m)
target_compile_definitions(acre_run_parts PRIVATE
    ACRE_DEFAULT_SCENE="${CMAKE_CURRENT_SOURCE_DIR}/scenes/san_francisco.glb")
# The yardstick is scalar: see run_brute.h.
set_source_files_properties(run_brute.c PROPERTIES
    COMPILE_OPTIONS "-fno-tree-vectorize;-fno-tree-slp-vectorize")

include(bench/bench.cmake)
include(agents/agents.cmake)

add_executable(acre acre.c replay.c)
target_link_libraries(acre PRIVATE acre_flags acre_run_parts acre_bench_parts acre_agents_parts
    acre_record)
