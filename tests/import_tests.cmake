# SPDX-License-Identifier: MIT
# import_tests.cmake - tests of modules/import and of the reader in a child process.
if(NOT TARGET acre_import_sandbox)
    return()
endif()
add_library(acre_import_files STATIC support/import_files.c)
target_link_libraries(acre_import_files PUBLIC acre_test acre_import acre_import_sandbox)
target_compile_definitions(acre_import_files
    PUBLIC ACRE_SCENES="${PROJECT_SOURCE_DIR}/tools/scenes")
acre_add_test(import/test_import acre_import_files)
acre_add_test(import/test_import_broken acre_import_files)
acre_add_test(import/test_import_scene acre_import_files)
if(TARGET acre_culling)
    target_compile_definitions(test_import_scene PRIVATE ACRE_TEST_CULLING)
    target_link_libraries(test_import_scene PRIVATE acre::culling)
endif()
find_package(assimp CONFIG QUIET)
acre_add_test(import/test_import_hierarchy acre_import_files assimp::assimp)
# Built by tests/campaigns/import_models.sh alone.
add_executable(import_models EXCLUDE_FROM_ALL campaigns/import_models.c)
target_link_libraries(import_models PRIVATE acre_flags acre_import_sandbox assimp::assimp)
