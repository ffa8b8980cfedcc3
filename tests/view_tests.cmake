# SPDX-License-Identifier: MIT
# view_tests.cmake - tests of `acre view`, drawn without a display.
if(TARGET acre_view_parts)
    acre_add_test(view/test_viewer acre_view_parts PNG::PNG)
    target_compile_definitions(test_viewer PRIVATE
        ACRE_VIEW_SCENE="${PROJECT_SOURCE_DIR}/tools/scenes/san_francisco.glb"
        ACRE_VIEW_REFERENCES="${CMAKE_CURRENT_SOURCE_DIR}/view/references")
    # Leaks inside the drivers are theirs.
    set_tests_properties(test_viewer PROPERTIES SKIP_RETURN_CODE 77 COST 500 ENVIRONMENT
        "LSAN_OPTIONS=suppressions=${CMAKE_CURRENT_SOURCE_DIR}/view/drivers.supp")
    acre_add_test(view/test_animation acre_view_parts PNG::PNG)
    acre_add_test(view/test_occlusion_frames acre_view_parts)
    target_compile_definitions(test_occlusion_frames PRIVATE
        ACRE_VIEW_SCENE="${PROJECT_SOURCE_DIR}/tools/scenes/san_francisco.glb")
    set_tests_properties(test_occlusion_frames PROPERTIES SKIP_RETURN_CODE 77 COST 60 ENVIRONMENT
        "LSAN_OPTIONS=suppressions=${CMAKE_CURRENT_SOURCE_DIR}/view/drivers.supp")
    acre_long(test_viewer test_occlusion_frames)
    find_package(X11 QUIET) # libegl-dev brings it
    set(acre_drop_file "")
    if(X11_FOUND)
        add_executable(drop_file view/drop_file.c)
        target_link_libraries(drop_file PRIVATE acre_flags X11::X11)
        set(acre_drop_file $<TARGET_FILE:drop_file>)
    endif()
    add_test(NAME test_view_window COMMAND
        ${CMAKE_CURRENT_SOURCE_DIR}/scripts/test_view_window.sh $<TARGET_FILE:acre>
        ${CMAKE_CURRENT_BINARY_DIR}/view_window ${acre_drop_file})
    # The drivers that a window loads are gone when leaks are counted, and with them what they hold
    # and their names; campaigns/view_leaks.sh keeps them open.
    set_tests_properties(test_view_window PROPERTIES SKIP_RETURN_CODE 77 COST 300 ENVIRONMENT
        "ASAN_OPTIONS=detect_leaks=0")
elseif(TARGET acre_run_parts)
    add_test(NAME test_viewer COMMAND ${CMAKE_COMMAND} -E echo
        "skipped: acre view was not built; tools/setup.sh view installs what it needs")
    set_tests_properties(test_viewer PROPERTIES SKIP_REGULAR_EXPRESSION "skipped:")
endif()
