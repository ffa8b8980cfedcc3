# SPDX-License-Identifier: MIT
# run_tests.cmake - tests of the program `acre` and of the examples.
if(TARGET acre_run_parts)
    acre_add_test(tools/test_run acre_run_parts)
    acre_add_test(tools/test_run_world acre_run_parts)
    acre_add_test(tools/test_output_file acre_inspect_parts)
    acre_add_test(tools/test_workers acre_workers)
    acre_add_test(tools/test_gltf_check acre_run_parts acre_import_files)
    acre_add_test(culling/test_visible_city acre_run_parts acre_view_world)
    acre_add_test(tools/test_bench acre_bench_parts)
    acre_add_test(tools/test_bench_queries acre_bench_parts)
    acre_add_test(tools/test_bench_pairs acre_bench_parts)
    acre_add_test(tools/test_bench_worst acre_bench_parts)
    acre_add_test(tools/test_bench_rivals acre_bench_parts)
    acre_add_test(tools/test_bench_occlusion acre_bench_parts)
    acre_long(test_bench_occlusion)
    acre_add_test(tools/test_agents acre_agents_parts)
    # What casters of many lights cost, by hand.
    add_executable(light_casters EXCLUDE_FROM_ALL campaigns/light_casters.c)
    target_link_libraries(light_casters PRIVATE acre_flags acre_run_parts)
    # What a hierarchical depth buffer takes where a horizon is measured, by hand.
    add_executable(depth_buffer EXCLUDE_FROM_ALL campaigns/depth_buffer.c)
    target_link_libraries(depth_buffer PRIVATE acre_flags acre_bench_parts)
    add_executable(json_value support/json_value.c)
    target_link_libraries(json_value PRIVATE acre_flags PkgConfig::ACRE_CJSON)
    if(NOT CMAKE_CROSSCOMPILING)
        add_test(NAME test_run_program COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/scripts/test_run.sh
            $<TARGET_FILE:acre> $<TARGET_FILE:json_value> ${PROJECT_SOURCE_DIR}/tools/scenes
            ${CMAKE_CURRENT_BINARY_DIR}/run)
        add_test(NAME test_bench_program COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/scripts/test_bench.sh
            $<TARGET_FILE:acre> $<TARGET_FILE:json_value> ${CMAKE_CURRENT_BINARY_DIR}/bench)
        add_test(NAME acre_town COMMAND acre town --players 50 --mobs 3000 --projectiles 100 --ticks 60)
        set_tests_properties(acre_town PROPERTIES PASS_REGULAR_EXPRESSION "a tick: .* kB with bands")
        add_test(NAME test_crowd_program COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/scripts/test_crowd.sh
            $<TARGET_FILE:acre> ${CMAKE_CURRENT_BINARY_DIR}/crowd)
        add_test(NAME test_crowd_folders COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/scripts/test_crowd_folders.sh
            $<TARGET_FILE:acre> ${CMAKE_CURRENT_BINARY_DIR}/crowd_folders)
        if(TARGET crowd_mpi)
            add_test(NAME test_crowd_mpi COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/scripts/test_crowd_mpi.sh
                $<TARGET_FILE:acre> $<TARGET_FILE:crowd_mpi>)
            set_tests_properties(test_crowd_mpi PROPERTIES SKIP_RETURN_CODE 77)
        endif()
        add_test(NAME test_agents_program COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/scripts/test_agents.sh
            $<TARGET_FILE:acre> $<TARGET_FILE:json_value> ${CMAKE_CURRENT_BINARY_DIR}/agents)
        add_test(NAME test_manners COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/scripts/test_manners.sh
            $<TARGET_FILE:acre> $<TARGET_FILE:json_value> ${CMAKE_CURRENT_BINARY_DIR}/manners)
        add_test(NAME test_replay_program COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/scripts/test_replay.sh
            $<TARGET_FILE:acre> ${CMAKE_CURRENT_BINARY_DIR})
        add_test(NAME test_occluders_program COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/scripts/test_occluders.sh
            $<TARGET_FILE:acre> ${PROJECT_SOURCE_DIR}/tools/scenes/san_francisco.glb
            ${CMAKE_CURRENT_SOURCE_DIR}/fuzz/fuzz_gltf/scenes.gltf)
        set_tests_properties(test_run_program test_bench_program test_crowd_program test_crowd_folders
            test_agents_program test_manners PROPERTIES SKIP_RETURN_CODE 77)
        acre_long(test_bench_program)
    endif()
endif()

# acre_add_example_test(name picture arguments...): see test_examples.sh. Built for another system, an
# example is run by its emulator, as wine. NAME_cpp prints what NAME does.
function(acre_add_example_test name picture)
    string(REGEX REPLACE "_cpp$" "" expected ${name})
    if(TARGET ${name} AND (CMAKE_CROSSCOMPILING_EMULATOR OR NOT CMAKE_CROSSCOMPILING))
        add_test(NAME example_${name} COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/scripts/test_examples.sh
            ${CMAKE_CURRENT_BINARY_DIR}/examples/${name}
            ${PROJECT_SOURCE_DIR}/tools/examples/${expected}.expected ${picture}
            ${CMAKE_CROSSCOMPILING_EMULATOR} $<TARGET_FILE:${name}> ${ARGN})
    endif()
endfunction()
acre_add_example_test(hello_quadtree -)
acre_add_example_test(ask_the_tree -)
acre_add_example_test(hello_culling -)
acre_add_example_test(z_up -)
acre_add_example_test(draw_visible -)
acre_add_example_test(stream_districts -)
acre_add_example_test(walk_to_town -)
acre_add_example_test(enter_zones -)
acre_add_example_test(pick_with_mouse -)
acre_add_example_test(select_rectangle -)
acre_add_example_test(own_entities -)
acre_add_example_test(own_objects -)
acre_add_example_test(own_threads -)
acre_add_example_test(read_back -)
acre_add_example_test(drag_panels - drag_panels.svg)
acre_add_example_test(collision_candidates -)
acre_add_example_test(all_intersections -)
acre_add_example_test(neighbors -)
acre_add_example_test(town_server -)
acre_add_example_test(long_flight -)
acre_add_example_test(walk_by -)
acre_add_example_test(own_objects_cpp -)
acre_add_example_test(tbb_tasks -)
acre_add_example_test(loose_cells ${PROJECT_SOURCE_DIR}/modules/quadtree/loose_cells.svg
    loose_cells.svg)
