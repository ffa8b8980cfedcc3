# SPDX-License-Identifier: MIT
# checks.cmake - tests that are scripts: layers, headers, programs of others, other compilers and
# processors, threads. Included after all test programs are known.

# A stream of random edits, for the scenarios and for threads.
if(TARGET acre_scene)
    add_library(acre_scene_edits STATIC support/scene_edits.c)
    target_link_libraries(acre_scene_edits PUBLIC acre_test acre_scene)
endif()

# The recorded scenarios (scenario.h), which cross.sh builds for other processors as well.
add_custom_target(scenarios)
set(acre_scenarios "")
foreach(part quadtree scene culling)
    if(TARGET acre_${part} AND EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/scenarios/scenario_${part}.c)
        add_executable(scenario_${part} scenarios/scenario_${part}.c scenarios/scenario.c)
        target_link_libraries(scenario_${part} PRIVATE acre_test acre::${part})
        if(NOT part STREQUAL quadtree)
            target_link_libraries(scenario_${part} PRIVATE acre_scene_edits)
        endif()
        add_dependencies(scenarios scenario_${part})
        list(APPEND acre_scenarios scenario_${part})
    endif()
endforeach()

if(CMAKE_CROSSCOMPILING)
    return()
endif()

# acre_add_check(name command...): a script as a test. Exit status 77 means skipped, which only
# happens outside CI. Scripts that build start first (COST) and keep to a folder of their own.
function(acre_add_check name)
    add_test(NAME ${name} COMMAND ${ARGN} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
    set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77 COST 1000)
endfunction()
set(acre_checks ${CMAKE_CURRENT_BINARY_DIR}/checks)
set(acre_here ${CMAKE_CURRENT_SOURCE_DIR})

acre_add_check(layering ${acre_here}/scripts/layering.sh)
acre_add_check(layering_refuses ${acre_here}/scripts/layering_refuses.sh ${acre_checks}/layering)
acre_add_check(module_pages ${acre_here}/scripts/module_pages.sh)
acre_add_check(readme_names ${acre_here}/scripts/readme_names.sh)
acre_add_check(licenses ${acre_here}/scripts/licenses.sh)
acre_add_check(versions ${acre_here}/scripts/versions.sh)
acre_add_check(test_setup ${acre_here}/scripts/test_setup.sh)
acre_add_check(header_check ${acre_here}/scripts/header_check.sh)
acre_add_check(public_face ${acre_here}/scripts/public_face.sh)
acre_add_check(refusal_names ${acre_here}/scripts/refusal_names.sh)
acre_add_check(shape_places ${acre_here}/scripts/shape_places.sh)
acre_add_check(world_places ${acre_here}/scripts/world_places.sh)
acre_add_check(record_rows ${acre_here}/scripts/record_rows.sh ${CMAKE_C_COMPILER})
acre_add_check(dropped_results ${acre_here}/scripts/dropped_results.sh)
if(TARGET test_acre_hpp)
    acre_add_check(hpp_calls ${acre_here}/scripts/hpp_calls.sh ${acre_hpp_tests} --
        "$<TARGET_PROPERTY:test_acre_hpp,INCLUDE_DIRECTORIES>" COMMAND_EXPAND_LISTS)
endif()
acre_add_check(new_module ${acre_here}/scripts/new_module.sh ${acre_checks}/new_module)
acre_add_check(one_unit ${acre_here}/scripts/one_unit.sh ${acre_checks}/one_unit)
acre_add_check(test_package_folder ${acre_here}/scripts/test_package_folder.sh
    ${acre_checks}/package_folder)
acre_add_check(two_file ${acre_here}/scripts/two_file.sh ${acre_checks}/two_file)
acre_long(two_file new_module)

set(acre_libraries "")
set(acre_libraries_but_import "")
foreach(part IN LISTS acre_modules)
    if(TARGET acre_${part}_inside)
        list(APPEND acre_libraries $<TARGET_FILE:acre_${part}>)
        if(NOT acre_pkg_config_${part})
            list(APPEND acre_libraries_but_import $<TARGET_FILE:acre_${part}>)
        endif()
    endif()
endforeach()
acre_add_check(symbols ${acre_here}/scripts/symbols.sh ${acre_libraries})
acre_add_check(call_circles ${acre_here}/scripts/call_circles.sh ${acre_libraries})
acre_add_check(call_circles_refuses
    ${acre_here}/scripts/call_circles_refuses.sh ${acre_checks}/call_circles)
acre_long(call_circles call_circles_refuses)

if(TARGET acre_quadtree)
    acre_add_check(consumer_all ${acre_here}/consumer/consumer.sh all ${acre_checks}/consumer_all)
    acre_add_check(consumer_shared
        ${acre_here}/consumer/consumer.sh shared ${acre_checks}/consumer_shared)
    acre_add_check(test_python ${acre_here}/scripts/test_python.sh ${acre_checks}/python)
    acre_add_check(consumer_quadtree_alone
        ${acre_here}/consumer/consumer.sh quadtree ${acre_checks}/consumer_quadtree)
    acre_long(consumer_all consumer_shared consumer_quadtree_alone test_python)
endif()

if(TARGET acre_culling)
    set(acre_readme_flags -O1)
    if(ACRE_SANITIZE)
        set(acre_readme_flags "-fsanitize=${ACRE_SANITIZE}")
    endif()
    acre_add_check(readme_example ${acre_here}/scripts/readme_example.sh ${acre_checks}/readme
        "${acre_readme_flags}" ${acre_libraries_but_import})
    acre_add_check(page_samples ${acre_here}/scripts/page_samples.sh ${acre_checks}/page_samples)
    set_tests_properties(readme_example page_samples PROPERTIES
        ENVIRONMENT "CC=${CMAKE_C_COMPILER}")
endif()
if(TARGET acre)
    set_tests_properties(readme_names PROPERTIES ENVIRONMENT "ACRE=$<TARGET_FILE:acre>")
    acre_add_check(install_program ${acre_here}/scripts/install_program.sh
        ${PROJECT_BINARY_DIR} ${acre_checks}/install_program)
endif()

# The same results everywhere.
foreach(scenario IN LISTS acre_scenarios)
    acre_add_check(${scenario} ${acre_here}/scripts/scenario.sh
        $<TARGET_FILE:${scenario}> ${acre_here}/scenarios/${scenario}.expected)
endforeach()
foreach(kind gcc clang fast i686 arm64 s390x)
    acre_add_check(same_on_${kind} ${acre_here}/scripts/cross.sh ${kind} ${acre_checks}/${kind} quick)
    acre_long(same_on_${kind})
endforeach()

# Work counted in instructions. The program needs valgrind's header; the script builds it.
if(TARGET acre_culling)
    add_executable(count_instructions EXCLUDE_FROM_ALL scenarios/count_instructions.c)
    target_link_libraries(count_instructions PRIVATE acre::culling acre_oracles)
    acre_add_check(count_instructions
        ${acre_here}/scripts/count_instructions.sh ${acre_checks}/gcc)
    acre_shares_gcc(same_on_gcc count_instructions)
    acre_add_check(count_instructions_refuses
        ${acre_here}/scripts/count_instructions_refuses.sh ${acre_checks}/count_instructions_refuses)
    acre_long(count_instructions)
endif()

# Coverage tells the fuzzer which inputs lead further, which fuzz_main.c's mutations do not know.
if(TARGET acre_culling AND TARGET acre_record)
    acre_add_check(fuzz_smoke ${acre_here}/scripts/fuzz.sh ${acre_checks}/fuzz_smoke smoke)
    acre_long(fuzz_smoke)
endif()

if(TARGET acre_culling)
    find_package(Threads REQUIRED)
    acre_add_test(culling/test_culling_threads acre::culling acre_scene_edits Threads::Threads)
    target_sources(test_culling_threads PRIVATE scenarios/scenario.c)
    acre_add_test(culling/test_visible_threads acre::culling Threads::Threads)
    target_sources(test_visible_threads PRIVATE scenarios/scenario.c)
endif()

# Tests whose name ends in _threads run under the thread sanitizer as well.
get_property(acre_tests DIRECTORY PROPERTY TESTS)
list(FILTER acre_tests INCLUDE REGEX "^test_.*_threads$")
if(acre_tests)
    add_custom_target(thread_tests DEPENDS ${acre_tests} planted_race)
    if(NOT ACRE_SANITIZE MATCHES "thread")
        acre_add_check(races_clang ${acre_here}/scripts/races.sh clang ${acre_checks}/races_clang)
        acre_add_check(races_helgrind ${acre_here}/scripts/races.sh helgrind ${acre_checks}/gcc)
        acre_shares_gcc(races_helgrind)
        acre_long(races_clang races_helgrind)
    endif()
endif()
