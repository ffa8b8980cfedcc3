# SPDX-License-Identifier: MIT
# host_tests.cmake - with -DACRE_BUILD_HOSTS=ON: the examples in hosts, without a display or on one
# that nobody sees. campaigns/hosts.sh builds and runs them.
function(acre_add_host_test name)
    if(TARGET ${name})
        add_test(NAME host_${name} COMMAND
            ${CMAKE_CURRENT_SOURCE_DIR}/scripts/test_host.sh $<TARGET_FILE:${name}> ${ARGN})
        set_tests_properties(host_${name} PROPERTIES SKIP_RETURN_CODE 77 LABELS hosts)
    endif()
endfunction()
acre_add_host_test(sdl_tiles 60)
acre_add_host_test(glfw_loop 60)
acre_add_host_test(bullet_motion)
if(TARGET acre_ogre_plugin)
    acre_add_host_test(ogre_edits $<TARGET_FILE:acre_ogre_plugin>)
endif()
if(TARGET acre)
    add_test(NAME host_engines COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/scripts/test_host.sh
        $<TARGET_FILE:acre> bench --engines yes --sizes 3000 --rounds 3)
    set_tests_properties(host_engines PROPERTIES LABELS hosts)
endif()
