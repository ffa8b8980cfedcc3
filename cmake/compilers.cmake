# SPDX-License-Identifier: MIT
# compilers.cmake - acre_flags: what Acre's own targets are compiled with, for each compiler.
#
# Results may not depend on how the compiler fuses or reorders floats, nor on whether it evaluates them
# in double (gcc on s390x, without GNU extensions). A program that links with --gc-sections, or with
# /OPT:REF, gets the functions that it calls and no others.
#
# The branch for MSVC, and for clang-cl, is written from their documentation, and has not been tried:
# MSVC needs 19.30 (Visual Studio 2022), whose /fp:precise fuses nothing.
add_library(acre_flags INTERFACE)
target_compile_features(acre_flags INTERFACE c_std_17)
if(MSVC)
    if(CMAKE_C_COMPILER_ID STREQUAL MSVC AND CMAKE_C_COMPILER_VERSION VERSION_LESS 19.30)
        message(FATAL_ERROR "Acre needs Visual Studio 2022: older compilers fuse floats by themselves")
    endif()
    target_compile_options(acre_flags INTERFACE
        /fp:precise $<$<C_COMPILER_ID:Clang>:/clang:-ffp-contract=off> /utf-8 /Gy /Gw /W4
        $<$<BOOL:${ACRE_WERROR}>:/WX>)
    target_compile_definitions(acre_flags INTERFACE _CRT_SECURE_NO_WARNINGS)
else()
    target_compile_options(acre_flags INTERFACE
        -ffp-contract=off -fno-fast-math -fno-math-errno -fvisibility=hidden
        -ffunction-sections -fdata-sections
        $<$<COMPILE_LANG_AND_ID:C,GNU>:-fexcess-precision=fast>
        -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wdouble-promotion -Wshadow
        $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes> $<$<COMPILE_LANGUAGE:C>:-Wmissing-prototypes>
        -Wcast-align -Wundef
        $<$<BOOL:${MINGW}>:-Wno-float-conversion> # its isnan and isinf, of a double
        $<$<BOOL:${ACRE_WERROR}>:-Werror>)
endif()

# acre_link_math(target visibility): the library of math.h, where it is one of its own.
function(acre_link_math target visibility)
    if(NOT MSVC)
        target_link_libraries(${target} ${visibility} m)
    endif()
endfunction()

# ACRE_CHECK of each build type, where the user does not choose.
if(ACRE_CHECK STREQUAL "")
    set(acre_check $<IF:$<CONFIG:Release,MinSizeRel>,0,1>)
else()
    set(acre_check ${ACRE_CHECK})
endif()
target_compile_definitions(acre_flags INTERFACE ACRE_CHECK=${acre_check})

if(ACRE_SANITIZE AND MSVC)
    target_compile_options(acre_flags INTERFACE /fsanitize=${ACRE_SANITIZE})
elseif(ACRE_SANITIZE)
    target_compile_options(acre_flags INTERFACE
        -fsanitize=${ACRE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_link_options(acre_flags INTERFACE -fsanitize=${ACRE_SANITIZE})
endif()
