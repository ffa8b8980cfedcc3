# SPDX-License-Identifier: MIT
# inspect.cmake - `acre inspect`; included where the program is built. The page that it fills is
# built by tools/package.sh.
find_package(ZLIB REQUIRED) # libpng needs it, too
set(ACRE_PAGE_BUILT ${PROJECT_SOURCE_DIR}/build/web/page.html CACHE FILEPATH
    "The viewer's page, as tools/package.sh web builds it")
add_library(acre_inspect_parts STATIC inspect/inspect.c inspect/inspect_numbers.c
    inspect/inspect_page.c inspect/inspect_occluders.c
    inspect/inspect_print.c inspect/occluders_command.c file_bytes.c replay_watch.c)
target_include_directories(acre_inspect_parts PUBLIC ${CMAKE_CURRENT_SOURCE_DIR}/inspect)
target_compile_definitions(acre_inspect_parts PRIVATE ACRE_PAGE_BUILT="${ACRE_PAGE_BUILT}")
target_link_libraries(acre_inspect_parts PRIVATE acre_flags ZLIB::ZLIB
    PUBLIC acre_run_parts acre_record)
