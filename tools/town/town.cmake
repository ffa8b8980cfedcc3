# SPDX-License-Identifier: MIT
# town.cmake - `acre town`; included where the program is built.
add_library(acre_town_parts STATIC ${CMAKE_CURRENT_SOURCE_DIR}/town/town.c)
target_include_directories(acre_town_parts PUBLIC ${CMAKE_CURRENT_SOURCE_DIR}/town)
target_include_directories(acre_town_parts PRIVATE ${PROJECT_SOURCE_DIR}/tests/support)
target_link_libraries(acre_town_parts PRIVATE acre_flags PUBLIC acre_run_parts acre_interest m)
