# SPDX-License-Identifier: MIT
# run.cmake - `acre run`, and what the other subcommands share with it. Left out where what it
# needs was not built.
find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
    pkg_check_modules(ACRE_CJSON QUIET IMPORTED_TARGET GLOBAL libcjson)
endif()
if(NOT TARGET acre_culling OR NOT TARGET acre_import_sandbox)
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
add_library(acre_run_parts STATIC run/run.c run/run_options.c run/run_world.c run/run_frames.c run/run_check.c
    run/run_casters.c run/run_rays.c run/run_sight.c run/run_statistics.c run/run_brute.c run/run_bars.c run/run_report.c run/run_json.c run/run_picture.c run/run_footprint.c
    run/picture_page.c options.c near_name.c output_file.c plain_file.c shared_file.c json_writer.c gltf_check.c
    measure_rows.c measure_table.c measure_turns.c)
target_link_libraries(acre_run_parts PRIVATE acre_flags
    PUBLIC acre_tool_parts acre_workers acre_terminal acre_import_sandbox acre::culling acre_occlusion acre_import
        PkgConfig::ACRE_CJSON m)
# run_rays.c reads the bounds of a prepared frustum.
target_include_directories(acre_run_parts PRIVATE ${PROJECT_SOURCE_DIR}/engine/core/src)
set_source_files_properties(shared_file.c PROPERTIES
    COMPILE_DEFINITIONS ACRE_SCENE_BUILT="${CMAKE_CURRENT_SOURCE_DIR}/scenes/san_francisco.glb")
# The yardstick is scalar: see run_brute.h.
set_source_files_properties(run/run_brute.c PROPERTIES
    COMPILE_OPTIONS "-fno-tree-vectorize;-fno-tree-slp-vectorize")

