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
foreach(component core camera debug scene)
    set(acre_folder_${component} engine/${component})
endforeach()
foreach(component quadtree culling shadows drawing contacts interest partition partition_mpi record
        import cpp)
    set(acre_folder_${component} modules/${component})
endforeach()

# acre_install_target(target name): installs it with an export file of its own, as acre::name.
function(acre_install_target target name)
    set(component library)
    if(target STREQUAL acre_import_shared)
        set(component import)
    endif()
    set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
    install(TARGETS ${target} EXPORT acre-${name}
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT ${component}
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT ${component} NAMELINK_COMPONENT dev)
    install(EXPORT acre-${name} NAMESPACE acre:: DESTINATION ${acre_package_dir}
        FILE acre-${name}-targets.cmake)
endfunction()

# Each component has its own export file, so that a program that uses the quadtree alone needs none
# of the packages that another module needs. pkg-config lists users before what they use.
set(acre_components "")
set(acre_pc_libs "")
set(acre_pc_definitions "")
foreach(component core camera debug scene quadtree culling shadows drawing contacts interest partition
        partition_mpi record import cpp)
    if(NOT TARGET acre_${component})
        continue()
    endif()
    if(component STREQUAL partition_mpi AND BUILD_SHARED_LIBS)
        continue() # it is compiled for one MPI; shared copies go to machines that have another one
    endif()
    list(APPEND acre_components ${component})
    if(BUILD_SHARED_LIBS)
        acre_install_target(acre_public_${component} ${component})
    elseif(component STREQUAL culling)
        # acre::culling is the culler with the modules that use it.
        acre_install_target(acre_culling culling_alone)
    else()
        acre_install_target(acre_${component} ${component})
    endif()
    if(NOT component MATCHES "^(import|partition_mpi|cpp)$") # libraries of their own, and none
        string(PREPEND acre_pc_libs "-lacre_${component} ")
    endif()
    install(DIRECTORY ${PROJECT_SOURCE_DIR}/${acre_folder_${component}}/include/
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp")
endforeach()
set(acre_pc_import_libs "-lassimp") # of a static acre_import
if(BUILD_SHARED_LIBS)
    foreach(library IN LISTS acre_shared_libraries)
        acre_install_target(${library} ${library})
    endforeach()
    set(acre_pc_libs "-lacre ")
    set(acre_pc_definitions " -DACRE_SHARED=1")
    set(acre_pc_import_libs "")
elseif(TARGET acre_culling)
    acre_install_target(acre_culling_all culling)
endif()

# Both paths are relative to the installed file, so that the tree can be moved as a whole.
file(RELATIVE_PATH acre_pc_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" acre_pc_prefix "${acre_pc_prefix}")
set(acre_pc_files acre)
if(TARGET acre_import)
    list(APPEND acre_pc_files acre-import)
endif()
if(TARGET acre_partition_mpi AND NOT BUILD_SHARED_LIBS)
    list(APPEND acre_pc_files acre-mpi)
endif()
foreach(name IN LISTS acre_pc_files)
    configure_file(${PROJECT_SOURCE_DIR}/cmake/${name}.pc.in ${PROJECT_BINARY_DIR}/${name}.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/README.md
    ${PROJECT_SOURCE_DIR}/CHANGES.md ${PROJECT_SOURCE_DIR}/tools/package/THIRD_PARTY.md
    DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT papers)

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/acre-config.cmake.in
    ${PROJECT_BINARY_DIR}/acre-config.cmake INSTALL_DESTINATION ${acre_package_dir}
    NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/acre-config-version.cmake
    VERSION ${PROJECT_VERSION} COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/acre-config.cmake
    ${PROJECT_BINARY_DIR}/acre-config-version.cmake DESTINATION ${acre_package_dir})
