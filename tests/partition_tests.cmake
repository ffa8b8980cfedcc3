# SPDX-License-Identifier: MIT
# partition_tests.cmake - the tests of modules/partition.
if(TARGET acre_partition)
    # acre_partition_content_hash is internal.
    acre_add_test(partition/test_partition acre_partition acre_partition_inside)
    add_library(acre_parts_stream STATIC partition/parts_stream.c)
    target_include_directories(acre_parts_stream PUBLIC ${CMAKE_CURRENT_SOURCE_DIR}/partition)
    target_link_libraries(acre_parts_stream PRIVATE acre_partition_inside)
    target_link_libraries(acre_parts_stream PUBLIC acre_partition acre_query_oracles)
    acre_add_test(partition/test_partition_questions acre_parts_stream)
    add_library(acre_sight_oracle STATIC partition/sight_oracle.c)
    target_link_libraries(acre_sight_oracle PUBLIC acre_parts_stream)
    acre_add_test(partition/test_partition_interest acre_sight_oracle acre_partition_inside)
    target_include_directories(test_partition_interest PRIVATE
        ${PROJECT_SOURCE_DIR}/modules/interest/src)
    acre_add_test(partition/test_partition_memory acre_parts_stream)
    add_executable(parts_lines partition/parts_lines.c)
    target_link_libraries(parts_lines PRIVATE acre_parts_stream)
    set(ranks_lines -)
    if(TARGET acre_partition_mpi)
        add_executable(ranks_lines partition/ranks_lines.c partition/mpi_counts.c)
        target_link_libraries(ranks_lines PRIVATE acre_parts_stream acre_partition_mpi)
        set_target_properties(ranks_lines PROPERTIES ENABLE_EXPORTS ON) # mpi_counts.c
        set(ranks_lines $<TARGET_FILE:ranks_lines>)
    endif()
    if(UNIX)
        add_test(NAME test_ranks COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/scripts/test_ranks.sh
            $<TARGET_FILE:parts_lines> ${ranks_lines} 30 1 3)
        set_tests_properties(test_ranks PROPERTIES SKIP_RETURN_CODE 77)
    endif()
    acre_add_test(partition/test_partition_checkpoint acre_parts_stream acre_partition_inside)
endif()
