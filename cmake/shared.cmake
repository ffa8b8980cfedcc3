# SPDX-License-Identifier: MIT
# shared.cmake - with BUILD_SHARED_LIBS: libacre.so of all parts but import, and libacre_import.so,
# so that a program that imports no files needs no assimp.
#
# The parts themselves stay static libraries: Acre's own tests and tools link them and see internal
# functions, which the shared libraries hide. acre::NAME is the shared library, whatever the name.

# acre_show_headers(library part): the library's users see the part's public headers.
function(acre_show_headers library part)
    get_target_property(folder ${part} SOURCE_DIR)
    target_include_directories(${library}
        PUBLIC $<BUILD_INTERFACE:${folder}/include> $<INSTALL_INTERFACE:include>)
endfunction()

add_library(acre_shared SHARED)
target_compile_definitions(acre_shared INTERFACE ACRE_SHARED=1)
target_link_libraries(acre_shared PRIVATE $<BUILD_INTERFACE:acre_flags>)
acre_link_math(acre_shared PUBLIC)
foreach(part core camera debug scene quadtree culling shadows drawing contacts interest partition record)
    if(TARGET acre_${part})
        target_sources(acre_shared PRIVATE $<TARGET_OBJECTS:acre_${part}>)
        target_compile_definitions(acre_${part} PRIVATE ACRE_SHARED_BUILD=1)
        acre_show_headers(acre_shared acre_${part})
        target_link_libraries(acre_public_${part} INTERFACE acre_shared)
    endif()
endforeach()
acre_show_headers(acre_shared acre_cpp)
target_link_libraries(acre_public_cpp INTERFACE acre_shared)
set(acre_shared_libraries acre_shared)

if(TARGET acre_import)
    find_package(assimp CONFIG QUIET) # imported targets are known in one folder alone
    add_library(acre_import_shared SHARED $<TARGET_OBJECTS:acre_import>)
    target_compile_definitions(acre_import PRIVATE ACRE_SHARED_BUILD=1)
    acre_show_headers(acre_import_shared acre_import)
    target_link_libraries(acre_import_shared
        PRIVATE $<BUILD_INTERFACE:acre_flags> $<BUILD_INTERFACE:assimp::assimp> PUBLIC acre_shared)
    target_link_libraries(acre_public_import INTERFACE acre_import_shared)
    list(APPEND acre_shared_libraries acre_import_shared)
endif()

# While the major version is 0, each minor version has an interface of its own.
foreach(library IN LISTS acre_shared_libraries)
    string(REPLACE "_shared" "" name ${library})
    set_target_properties(${library} PROPERTIES OUTPUT_NAME ${name} EXPORT_NAME ${library}
        LINKER_LANGUAGE C VERSION ${PROJECT_VERSION}
        SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
endforeach()
