# SPDX-License-Identifier: MIT
# install.cmake - headers, libraries, the CMake package, pkg-config files and papers.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# Components of packages, cmake/packages.cmake: what is not named here is for building programs.
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME dev)

# The ACRE_CHECK of this copy, for its users to ask: acre_CHECK in CMake, check in acre.pc. A
# generator of several build types installs one copy of each; the package speaks of Release.
set(acre_check_level "${ACRE_CHECK}")
if("${acre_check_level}" STREQUAL "")
    if(CMAKE_CONFIGURATION_TYPES OR CMAKE_BUILD_TYPE MATCHES "^(Release|MinSizeRel)$")
        set(acre_check_level 0)
    else()
        set(acre_check_level 1)
    endif()
endif()

set(acre_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/acre)

# acre_install_target(component target name [package]): installs the target as acre::name, with an export file
# of its own, so that a program that uses the quadtree alone needs none of the packages that another
# module needs. acre_exports has these files as COMPONENT=NAME, each after those that it refers to.
function(acre_install_target component target name)
    set(package library)
    if(ARGN)
        set(package ${ARGN})
    endif()
    set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
    install(TARGETS ${target} EXPORT acre-${name}
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT ${package}
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT ${package} NAMELINK_COMPONENT dev)
    install(EXPORT acre-${name} NAMESPACE acre:: DESTINATION ${acre_package_dir}
        FILE acre-${name}-targets.cmake)
    set(acre_exports ${acre_exports} ${component}=${name} PARENT_SCOPE)
endfunction()

# acre_install_module(component): its libraries and headers.
macro(acre_install_module component)
    if(TARGET acre_${component}_shared)
        acre_install_target(${component} acre_${component}_shared acre_${component}_shared ${component})
    endif()
    if(BUILD_SHARED_LIBS)
        acre_install_target(${component} acre_public_${component} ${component})
    elseif(TARGET acre_${component}_all) # the name without _alone is for all that it brings
        acre_install_target(${component} acre_${component} ${component}_alone)
    else()
        acre_install_target(${component} acre_${component} ${component})
    endif()
    install(DIRECTORY ${PROJECT_SOURCE_DIR}/${acre_folder_${component}}/include/
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp")
endmacro()

# acre_describe_module(component): its lines in acre-config.cmake and acre.pc, which lists users before
# what they use.
macro(acre_describe_module component)
    acre_closure(acre_with "uses;brings" ${component})
    string(APPEND acre_graph "set(acre_with_${component} ${acre_with})\n")
    get_property(acre_package GLOBAL PROPERTY acre_package_${component})
    if(acre_package AND NOT BUILD_SHARED_LIBS)
        list(JOIN acre_package "\" \"" acre_package)
        string(APPEND acre_graph "set(acre_package_${component} \"${acre_package}\")\n")
    endif()
    get_target_property(acre_type acre_${component} TYPE)
    if(acre_pkg_config_${component})
        list(APPEND acre_pc_files ${acre_pkg_config_${component}})
    elseif(acre_type STREQUAL STATIC_LIBRARY)
        string(PREPEND acre_pc_libs "-lacre_${component} ")
    endif()
endmacro()

set(acre_components "")
set(acre_exports "")
set(acre_graph "")
set(acre_static "")
set(acre_pc_files acre)
set(acre_pc_libs "")
set(acre_pc_definitions "")
set(acre_pc_import_libs "-lassimp -lcjson") # of a static acre_import
if(ACRE_IMPORT_MESHOPT)
    string(APPEND acre_pc_import_libs " -lmeshoptimizer")
endif()
if(BUILD_SHARED_LIBS)
    acre_install_target(core acre_shared acre_shared)
endif()
foreach(component IN LISTS acre_modules)
    if(acre_static_${component})
        list(APPEND acre_static ${component})
        if(BUILD_SHARED_LIBS)
            # It was compiled for this machine's copy of its package; shared copies of Acre go to others.
            continue()
        endif()
    endif()
    if(TARGET acre_${component})
        list(APPEND acre_components ${component})
        acre_install_module(${component})
        acre_describe_module(${component})
    endif()
endforeach()
foreach(component IN LISTS acre_components)
    if(TARGET acre_${component}_all AND NOT BUILD_SHARED_LIBS)
        acre_install_target(${component} acre_${component}_all ${component})
    endif()
endforeach()
if(BUILD_SHARED_LIBS)
    set(acre_pc_libs "-lacre ")
    set(acre_pc_definitions " -DACRE_SHARED=1")
    set(acre_pc_import_libs "")
endif()

# Both paths are relative to the installed file, so that the tree can be moved as a whole.
file(RELATIVE_PATH acre_pc_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" acre_pc_prefix "${acre_pc_prefix}")
foreach(name IN LISTS acre_pc_files)
    configure_file(${PROJECT_SOURCE_DIR}/cmake/${name}.pc.in ${PROJECT_BINARY_DIR}/${name}.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/tools/package/THIRD_PARTY.md
    DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT papers)
include(cmake/papers.cmake)
acre_install_papers(${CMAKE_INSTALL_DOCDIR} COMPONENT papers)

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/acre-config.cmake.in
    ${PROJECT_BINARY_DIR}/acre-config.cmake INSTALL_DESTINATION ${acre_package_dir}
    NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/acre-config-version.cmake
    VERSION ${PROJECT_VERSION} COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/acre-config.cmake
    ${PROJECT_BINARY_DIR}/acre-config-version.cmake DESTINATION ${acre_package_dir})
