# SPDX-License-Identifier: MIT
# partition_tests.cmake - the tests of modules/partition.
if(TARGET acre_partition)
    acre_add_test(partition/test_partition acre_partition)
    add_library(acre_parts_stream STATIC partition/parts_stream.c)
    target_include_directories(acre_parts_stream PUBLIC ${CMAKE_CURRENT_SOURCE_DIR}/partition)
    target_link_libraries(acre_parts_stream PUBLIC acre_partition acre_query_oracles)
    acre_add_test(partition/test_partition_questions acre_parts_stream)
endif()
