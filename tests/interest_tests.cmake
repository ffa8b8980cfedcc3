# SPDX-License-Identifier: MIT
# interest_tests.cmake - the tests of modules/interest.
if(TARGET acre_interest)
    add_library(acre_interest_stream STATIC support/interest_stream.c)
    target_link_libraries(acre_interest_stream PUBLIC acre_interest acre_test m)
    acre_add_test(interest/test_interest acre_interest)
    acre_add_test(interest/test_interest_random acre_interest_stream)
    acre_add_test(interest/test_interest_memory acre_interest_stream)
    if(TARGET acre_culling)
        acre_add_test(interest/test_interest_entities acre_interest acre_culling_stream)
    endif()
endif()
