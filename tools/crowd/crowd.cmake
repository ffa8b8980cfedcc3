# SPDX-License-Identifier: MIT
# crowd.cmake - `acre crowd`; included where the program is built.
add_library(acre_crowd_parts STATIC ${CMAKE_CURRENT_SOURCE_DIR}/crowd/crowd.c
    ${CMAKE_CURRENT_SOURCE_DIR}/crowd/crowd_checkpoint.c
    ${CMAKE_CURRENT_SOURCE_DIR}/crowd/crowd_options.c
    ${CMAKE_CURRENT_SOURCE_DIR}/crowd/crowd_part.c
    ${CMAKE_CURRENT_SOURCE_DIR}/crowd/crowd_report.c
    ${CMAKE_CURRENT_SOURCE_DIR}/crowd/crowd_restart.c
    ${CMAKE_CURRENT_SOURCE_DIR}/crowd/crowd_set.c)
target_include_directories(acre_crowd_parts PUBLIC ${CMAKE_CURRENT_SOURCE_DIR}/crowd)
target_link_libraries(acre_crowd_parts PRIVATE acre_flags PUBLIC acre_run_parts acre_partition
    acre_workers)
if(TARGET acre_partition_mpi)
    add_executable(crowd_mpi ${CMAKE_CURRENT_SOURCE_DIR}/crowd/crowd_mpi.c)
    target_link_libraries(crowd_mpi PRIVATE acre_flags acre_crowd_parts acre_partition_mpi)
endif()
