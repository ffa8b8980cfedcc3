# SPDX-License-Identifier: MIT
# bench.cmake - `acre bench`; included by run.cmake, where the program is built.
set(acre_bench ${CMAKE_CURRENT_SOURCE_DIR}/bench)
add_library(acre_bench_parts STATIC
    ${acre_bench}/bench.c ${acre_bench}/bench_options.c ${acre_bench}/bench_workload.c
    ${acre_bench}/bench_rows.c ${acre_bench}/bench_race.c ${acre_bench}/bench_measure.c
    ${acre_bench}/bench_measure_query.c ${acre_bench}/bench_report.c ${acre_bench}/bench_files.c
    ${acre_bench}/bench_acre.c ${acre_bench}/bench_loops.c ${acre_bench}/bench_twin.c
    ${PROJECT_SOURCE_DIR}/tests/textbook_quadtree.c)
target_include_directories(acre_bench_parts PUBLIC ${acre_bench}
    PRIVATE ${PROJECT_SOURCE_DIR}/tests)
target_link_libraries(acre_bench_parts PRIVATE acre_flags PUBLIC acre_run_parts acre_quadtree)

# The fastest loops: each file for its own instruction set, chosen when the program runs.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$" AND CMAKE_SIZEOF_VOID_P EQUAL 8 AND
        CMAKE_C_COMPILER_ID MATCHES "GNU|Clang")
    set(acre_bench_flags_sse41 -msse4.1 -mpopcnt)
    set(acre_bench_flags_avx2 -mavx2 -mpopcnt)
    set(acre_bench_flags_avx512 -mavx512f -mpopcnt)
    foreach(set sse41 avx2 avx512)
        target_sources(acre_bench_parts PRIVATE ${acre_bench}/bench_simd_${set}.c)
        set_source_files_properties(${acre_bench}/bench_simd_${set}.c PROPERTIES
            COMPILE_OPTIONS "${acre_bench_flags_${set}}")
    endforeach()
    target_compile_definitions(acre_bench_parts PUBLIC ACRE_BENCH_X86=1)
endif()
