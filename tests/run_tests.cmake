# SPDX-License-Identifier: MIT
# run_tests.cmake - tests of the program `acre` and of the examples.
if(TARGET acre_run_parts)
    acre_add_test(test_run acre_run_parts)
endif()
