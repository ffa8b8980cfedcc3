# SPDX-License-Identifier: MIT
# core_tests.cmake - the tests of engine/core.
acre_add_test(test_core acre_core)
acre_add_test(test_debug_svg acre_core)
acre_add_test(test_frustum acre_core)
acre_add_test(test_frustum_exact acre_core)
if(ACRE_HAS_CGLM)
    acre_add_test(test_camera acre_core)
endif()
