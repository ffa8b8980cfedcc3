# SPDX-License-Identifier: MIT
# partition_tests.cmake - the tests of modules/partition.
if(TARGET acre_partition)
    acre_add_test(partition/test_partition acre_partition)
endif()
