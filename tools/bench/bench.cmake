# SPDX-License-Identifier: MIT
# bench.cmake - `acre bench`; included where the program is built.
set(acre_bench ${CMAKE_CURRENT_SOURCE_DIR}/bench)
set(acre_bench_support ${PROJECT_SOURCE_DIR}/tests/support)
add_library(acre_bench_parts STATIC
    ${acre_bench}/bench.c ${acre_bench}/bench_options.c
    ${acre_bench}/bench_contest.c ${acre_bench}/bench_check.c
    ${acre_bench}/bench_building.c ${acre_bench}/bench_frames.c ${acre_bench}/bench_churn.c
    ${acre_bench}/bench_query_times.c ${acre_bench}/bench_report.c
    ${acre_bench}/bench_acre.c ${acre_bench}/bench_loops.c ${acre_bench}/bench_simd.c
    ${acre_bench}/bench_textbook.c ${acre_bench}/bench_order.c ${acre_bench}/bench_sweep.c
    ${acre_bench}/bench_queries.c ${acre_bench}/bench_questions.c
    ${acre_bench}/bench_neighbors.c ${acre_bench}/bench_pairs.c ${acre_bench}/bench_worlds.c
    ${acre_bench}/bench_worst.c ${acre_bench}/bench_drift.c ${acre_bench}/bench_near.c
    ${acre_bench}/bench_city.c ${acre_bench}/bench_interest.c
    ${acre_bench}/bench_view_rules.c ${acre_bench}/bench_view_frame.c ${acre_bench}/bench_workers.c
    ${acre_bench}/bench_workers_drawn.c ${acre_bench}/bench_workers_rows.c
    ${acre_bench}/bench_engines.c ${acre_bench}/engines/engine_acre.c
    ${acre_bench}/bench_occlusion.c ${acre_bench}/bench_sights.c ${acre_bench_support}/item_buffer.c
    ${acre_bench_support}/textbook_quadtree.c ${acre_bench_support}/brute_force.c
    ${acre_bench_support}/brute_force_query.c ${acre_bench_support}/country.c
    ${acre_bench_support}/country_views.c ${acre_bench_support}/questions.c
    ${acre_bench_support}/worlds.c ${acre_bench_support}/tall_world.c
    ${acre_bench_support}/question_tests.c ${acre_bench_support}/country_scene.c
    ${acre_bench_support}/view_cases.c ${acre_bench_support}/view_loop.c
    ${acre_bench_support}/view_check.c)
target_include_directories(acre_bench_parts PUBLIC ${acre_bench}
    ${acre_bench_support} ${PROJECT_SOURCE_DIR}/engine/core/src PRIVATE ${acre_bench}/engines)
target_compile_definitions(acre_bench_parts PRIVATE
    ACRE_ASTANA_BUILT="${PROJECT_SOURCE_DIR}/out/astana.glb")
target_link_libraries(acre_bench_parts PRIVATE acre_flags PUBLIC acre_run_parts acre_interest acre_quadtree acre_occlusion acre_workers)

# The fastest loops: one text, compiled for each instruction set, chosen when the program runs.
set(acre_bench_sets "")
if(CMAKE_C_COMPILER_ID MATCHES "GNU|Clang" AND CMAKE_SIZEOF_VOID_P EQUAL 8)
    if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
        set(acre_bench_sets sse41 avx2 avx512)
        set(acre_bench_flags_sse41 -msse4.1 -mpopcnt)
        set(acre_bench_flags_avx2 -mavx2 -mpopcnt)
        set(acre_bench_flags_avx512 -mavx512f -mpopcnt)
        target_compile_definitions(acre_bench_parts PRIVATE ACRE_BENCH_X86=1)
    elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64|ARM64)$")
        set(acre_bench_sets neon)
        target_compile_definitions(acre_bench_parts PRIVATE ACRE_BENCH_NEON=1)
    endif()
endif()
foreach(set IN LISTS acre_bench_sets)
    add_library(acre_bench_scans_${set} OBJECT ${acre_bench}/bench_scans.c ${acre_bench}/bench_wide_bvh.c)
    target_compile_options(acre_bench_scans_${set} PRIVATE ${acre_bench_flags_${set}})
    target_include_directories(acre_bench_scans_${set} PRIVATE ${acre_bench_support} ${PROJECT_SOURCE_DIR}/engine/core/src)
    target_link_libraries(acre_bench_scans_${set} PRIVATE acre_flags acre_quadtree)
    target_sources(acre_bench_parts PRIVATE $<TARGET_OBJECTS:acre_bench_scans_${set}>)
endforeach()
if(acre_bench_sets)
    target_sources(acre_bench_parts PRIVATE ${acre_bench}/bench_scan_answers.c)
endif()

# Trees of others: C++, each where its package is there. A shared library, so that programs that
# are C stay C.
set(acre_peers "")
# acre_find_peer(name package condition): takes part where the condition holds.
macro(acre_find_peer name package)
    if(${ARGN})
        list(APPEND acre_peers ${name})
    else()
        string(APPEND acre_peer_missing " ${package}")
    endif()
endmacro()
if(CMAKE_CXX_COMPILER_LOADED)
    find_path(ACRE_BULLET_INCLUDE BulletCollision/BroadphaseCollision/btDbvt.h
        PATH_SUFFIXES bullet)
    find_library(ACRE_BULLET_COLLISION BulletCollision)
    find_library(ACRE_BULLET_MATH LinearMath)
    find_path(ACRE_BOX2D_INCLUDE box2d/b2_dynamic_tree.h)
    find_library(ACRE_BOX2D_LIBRARY box2d)
    find_path(ACRE_BOOST_INCLUDE boost/geometry/index/rtree.hpp)
    find_path(ACRE_EMBREE_INCLUDE embree3/rtcore.h)
    find_library(ACRE_EMBREE_LIBRARY embree3)
    find_path(ACRE_NANOFLANN_INCLUDE nanoflann.hpp)
    set(acre_peer_missing "")
    acre_find_peer(bullet libbullet-dev ACRE_BULLET_INCLUDE AND ACRE_BULLET_COLLISION AND ACRE_BULLET_MATH)
    acre_find_peer(box2d libbox2d-dev ACRE_BOX2D_INCLUDE AND ACRE_BOX2D_LIBRARY)
    acre_find_peer(boost libboost-dev ACRE_BOOST_INCLUDE)
    acre_find_peer(embree libembree-dev ACRE_EMBREE_INCLUDE AND ACRE_EMBREE_LIBRARY)
    acre_find_peer(nanoflann libnanoflann-dev ACRE_NANOFLANN_INCLUDE)
    if(acre_peer_missing)
        message(STATUS "acre bench measures fewer trees of others (Debian:${acre_peer_missing})")
    endif()
endif()
if(CMAKE_CXX_COMPILER_LOADED)
    add_library(acre_bench_peers SHARED ${acre_bench}/peers/peer_trees.cpp)
    foreach(peer IN LISTS acre_peers)
        string(TOUPPER ${peer} acre_peer_name)
        target_sources(acre_bench_peers PRIVATE ${acre_bench}/peers/peer_${peer}.cpp)
        target_compile_definitions(acre_bench_peers PRIVATE ACRE_BENCH_${acre_peer_name})
        target_include_directories(acre_bench_peers SYSTEM PRIVATE
            ${ACRE_${acre_peer_name}_INCLUDE})
    endforeach()
    if("bullet" IN_LIST acre_peers)
        target_link_libraries(acre_bench_peers PRIVATE
            ${ACRE_BULLET_COLLISION} ${ACRE_BULLET_MATH})
        # Of a switch over all eight signs in Bullet's own header.
        set_source_files_properties(${acre_bench}/peers/peer_bullet.cpp PROPERTIES
            COMPILE_OPTIONS "$<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>")
    endif()
    if("box2d" IN_LIST acre_peers)
        target_link_libraries(acre_bench_peers PRIVATE ${ACRE_BOX2D_LIBRARY})
    endif()
    if("embree" IN_LIST acre_peers)
        target_link_libraries(acre_bench_peers PRIVATE ${ACRE_EMBREE_LIBRARY})
    endif()
    target_compile_features(acre_bench_peers PRIVATE cxx_std_14)
    # Optimised in every build: without it, templates take ten times as long.
    target_compile_options(acre_bench_peers PRIVATE -Wall -Wextra -ffp-contract=off
        $<$<NOT:$<CONFIG:Release>>:-O2>)
    target_include_directories(acre_bench_peers PRIVATE ${acre_bench} ${acre_bench_support} ${PROJECT_SOURCE_DIR}/engine/core/src
        ${PROJECT_SOURCE_DIR}/engine/core/include
        ${PROJECT_SOURCE_DIR}/modules/quadtree/include PUBLIC ${acre_bench}/peers)
    target_link_libraries(acre_bench_parts PUBLIC acre_bench_peers)
    target_compile_definitions(acre_bench_parts PRIVATE ACRE_BENCH_PEERS=1)
endif()

# Engines of others, for --engines: C++, each where its package is there.
set(acre_engines "")
set(acre_engines_missing "")
if(ACRE_BUILD_HOSTS AND CMAKE_CXX_COMPILER_LOADED)
    find_package(PkgConfig REQUIRED)
    pkg_check_modules(ACRE_OGRE IMPORTED_TARGET OGRE)
    pkg_check_modules(ACRE_OSG IMPORTED_TARGET openscenegraph)
    if(ACRE_OGRE_FOUND)
        list(APPEND acre_engines OGRE)
    else()
        string(APPEND acre_engines_missing " libogre-1.12-dev")
    endif()
    if(ACRE_OSG_FOUND)
        list(APPEND acre_engines OSG)
    else()
        string(APPEND acre_engines_missing " libopenscenegraph-dev")
    endif()
    string(STRIP "${acre_engines_missing}" acre_engines_missing)
endif()
if(acre_engines)
    add_library(acre_bench_engines STATIC ${acre_bench}/engines/engines.cpp)
    target_compile_features(acre_bench_engines PRIVATE cxx_std_17)
    target_include_directories(acre_bench_engines PRIVATE ${acre_bench}/engines
        ${CMAKE_CURRENT_SOURCE_DIR}/examples/hosts ${PROJECT_SOURCE_DIR}/engine/camera/include)
    target_link_libraries(acre_bench_engines PRIVATE acre_flags acre::cpp)
    foreach(engine IN LISTS acre_engines)
        string(TOLOWER ${engine} name)
        target_sources(acre_bench_engines PRIVATE ${acre_bench}/engines/engine_${name}.cpp)
        target_compile_definitions(acre_bench_engines PRIVATE ACRE_BENCH_${engine})
        target_link_libraries(acre_bench_engines PRIVATE PkgConfig::ACRE_${engine})
    endforeach()
    if("OGRE" IN_LIST acre_engines)
        pkg_get_variable(acre_ogre_plugins OGRE plugindir)
        target_sources(acre_bench_engines PRIVATE
            ${CMAKE_CURRENT_SOURCE_DIR}/examples/hosts/ogre_scene_manager.cpp)
        target_compile_definitions(acre_bench_engines PRIVATE
            ACRE_OGRE_PLUGINS="${acre_ogre_plugins}")
    endif()
    target_link_libraries(acre_bench_parts PUBLIC acre_bench_engines)
    target_compile_definitions(acre_bench_parts PRIVATE ACRE_BENCH_ENGINES=1)
endif()
target_compile_definitions(acre_bench_parts PRIVATE
    ACRE_BENCH_ENGINES_MISSING="${acre_engines_missing}")
