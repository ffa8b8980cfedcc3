# SPDX-License-Identifier: MIT
# kernels.cmake - the instruction sets that kernels are built for, beside plain C.
#
# A kernel is a file for each set, whose name ends in the set: quadtree_kernel_pair_avx2.c. These files
# alone are compiled for their set; which one runs is chosen at run time. Where the file would only include
# the set's header and the question's part, it is made in the build folder. The set sse4 has four lanes;
# elsewhere than on x86 SIMDe makes of it what the processor has. Without SIMDe there is the scalar set
# alone.
include(CheckIncludeFile)
if(NOT ACRE_WITHOUT_SIMDE)
    if(NOT acre_is_top_level)
        set(CMAKE_REQUIRED_QUIET ON)
    endif()
    check_include_file(simde/x86/avx512.h ACRE_HAS_SIMDE)
endif()
set(acre_kernel_sets scalar)
set(acre_processor "${CMAKE_SYSTEM_PROCESSOR}")
if(APPLE AND CMAKE_OSX_ARCHITECTURES) # by the documentation: not tried on macOS yet
    set(acre_processor "${CMAKE_OSX_ARCHITECTURES}")
endif()
if(acre_processor MATCHES "^arm" AND NOT acre_processor MATCHES "arm64|ARM64")
    acre_say("NEON of 32 bits takes denormals for zero: scalar kernels alone")
elseif(ACRE_HAS_SIMDE AND NOT ACRE_WITHOUT_SIMDE)
    list(APPEND acre_kernel_sets sse4)
    if(acre_processor MATCHES ";")
        # One file for several processors. Those of Apple's machines all have the four lanes.
    elseif(acre_processor MATCHES "x86_64|AMD64" AND MSVC)
        list(APPEND acre_kernel_sets avx2 avx512)
        set(acre_flags_avx2 /arch:AVX2)
        set(acre_flags_avx512 /arch:AVX512)
    elseif(acre_processor MATCHES "x86_64|AMD64|i.86" AND CMAKE_C_COMPILER_ID MATCHES "GNU|Clang")
        list(APPEND acre_kernel_sets avx2 avx512)
        set(acre_flags_sse4 -msse4.1)
        set(acre_flags_avx2 -mavx2 -mbmi -mbmi2)
        set(acre_flags_avx512 -mavx512f -mavx512vl -mavx512bw -mavx512dq -mbmi -mbmi2)
    endif()
else()
    acre_say("no SIMDe or ACRE_WITHOUT_SIMDE: scalar kernels alone (Debian: libsimde-dev)")
endif()

# acre_add_kernels(target FILES stem... [FLAGS flag...] [AVX512 flag...]): adds stem_SET.c of each set
# to the target. FLAGS are for the files of the wider sets, AVX512 for those of that set; they are
# flags of gcc and clang on x86.
function(acre_add_kernels target)
    cmake_parse_arguments(PARSE_ARGV 1 kernel "" "" "FLAGS;AVX512;FILES")
    foreach(set IN LISTS acre_kernel_sets)
        set(flags "")
        if(DEFINED acre_flags_${set})
            set(flags ${acre_flags_${set}})
        endif()
        if(flags AND NOT MSVC)
            list(APPEND flags ${kernel_FLAGS})
        endif()
        if(set STREQUAL avx512 AND NOT MSVC)
            list(APPEND flags ${kernel_AVX512})
        endif()
        foreach(stem IN LISTS kernel_FILES)
            target_sources(${target} PRIVATE ${stem}_${set}.c)
            set_source_files_properties(${stem}_${set}.c PROPERTIES COMPILE_OPTIONS "${flags}")
        endforeach()
    endforeach()
endfunction()

# acre_make_kernels(target FOLDER folder STEM stem QUESTIONS question... [FLAGS flag...] [AVX512 flag...]):
# adds STEM_QUESTION_SET.c of each set, and STEM_QUESTION.c, which lists them, as if they stood in the
# folder. They are objects of their own: a program links the questions that it asks.
function(acre_make_kernels target)
    cmake_parse_arguments(PARSE_ARGV 1 kernel "" "FOLDER;STEM" "QUESTIONS;FLAGS;AVX512")
    set(stem ${kernel_STEM})
    set(templates ${PROJECT_SOURCE_DIR}/cmake)
    foreach(question IN LISTS kernel_QUESTIONS)
        string(TOUPPER ${question} QUESTION)
        set(file ${CMAKE_CURRENT_BINARY_DIR}/${kernel_FOLDER}/${stem}_${question})
        configure_file(${templates}/kernel_table.c.in ${file}.c @ONLY)
        target_sources(${target} PRIVATE ${file}.c)
        foreach(set IN LISTS acre_kernel_sets)
            configure_file(${templates}/kernel.c.in ${file}_${set}.c @ONLY)
        endforeach()
        acre_add_kernels(${target} FILES ${file} FLAGS ${kernel_FLAGS} AVX512 ${kernel_AVX512})
    endforeach()
endfunction()

# acre_tell_kernels(target visibility): the target's files see which sets there are.
# ACRE_HAS_LANES_FOUR: there are vectors of four lanes that every processor of the target has.
function(acre_tell_kernels target visibility)
    foreach(set IN LISTS acre_kernel_sets)
        string(TOUPPER ${set} name)
        target_compile_definitions(${target} ${visibility} ACRE_HAS_KERNEL_${name}=1)
    endforeach()
    if(sse4 IN_LIST acre_kernel_sets)
        target_compile_definitions(${target} ${visibility} ACRE_HAS_LANES_FOUR=1)
    endif()
endfunction()
