# SPDX-License-Identifier: MIT
# shared.cmake - with BUILD_SHARED_LIBS: libacre.so of all parts, but for those that need packages of
# their own: libacre_import.so, so that a program that imports no files needs no assimp.
#
# The parts themselves stay static libraries: Acre's own tests and tools link them and see internal
# functions, which the shared libraries hide. acre::NAME is the shared library, whatever the name.

# acre_show_headers(library part): the library's users see the part's public headers.
function(acre_show_headers library part)
    get_target_property(folder ${part} SOURCE_DIR)
    target_include_directories(${library}
        PUBLIC $<BUILD_INTERFACE:${folder}/include> $<INSTALL_INTERFACE:include>)
endfunction()

# acre_add_own_library(library part): for a part that needs packages that the others do not.
function(acre_add_own_library library part)
    # With growable arrays of its own: libacre.so hides its functions for them.
    add_library(${library} SHARED ${acre_add_how} ${PROJECT_SOURCE_DIR}/engine/core/src/column.c)
    target_link_libraries(${library} PRIVATE $<BUILD_INTERFACE:acre_flags> PUBLIC acre_shared)
    get_property(packages GLOBAL PROPERTY acre_package_${part})
    foreach(package IN LISTS packages)
        separate_arguments(package)
        list(POP_FRONT package imported debian)
        find_package(${package} QUIET) # imported targets are known in one folder alone
        target_link_libraries(${library} PRIVATE $<BUILD_INTERFACE:${imported}>)
    endforeach()
endfunction()

add_library(acre_shared SHARED ${acre_add_how})
target_compile_definitions(acre_shared INTERFACE ACRE_SHARED=1)
target_link_libraries(acre_shared PRIVATE $<BUILD_INTERFACE:acre_flags>)
acre_link_math(acre_shared PUBLIC)
set(acre_shared_libraries acre_shared)
foreach(part IN LISTS acre_modules)
    if(NOT TARGET acre_${part} OR acre_static_${part})
        continue()
    endif()
    set(library acre_shared)
    if(acre_pkg_config_${part})
        set(library acre_${part}_shared)
        acre_add_own_library(${library} ${part})
        list(APPEND acre_shared_libraries ${library})
    endif()
    acre_show_headers(${library} acre_${part})
    target_link_libraries(acre_public_${part} INTERFACE ${library})
    get_target_property(type acre_${part} TYPE)
    if(NOT type STREQUAL INTERFACE_LIBRARY)
        target_sources(${library} PRIVATE $<TARGET_OBJECTS:acre_${part}>)
        target_compile_definitions(acre_${part} PRIVATE ACRE_SHARED_BUILD=1)
    endif()
endforeach()

# While the major version is 0, each minor version has an interface of its own.
foreach(library IN LISTS acre_shared_libraries)
    string(REPLACE "_shared" "" name ${library})
    set_target_properties(${library} PROPERTIES OUTPUT_NAME ${name} EXPORT_NAME ${library}
        LINKER_LANGUAGE C VERSION ${PROJECT_VERSION}
        SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
endforeach()
