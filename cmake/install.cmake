# SPDX-License-Identifier: MIT
# install.cmake - headers, static libraries, the CMake package and acre.pc of what was built.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(acre_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/acre)
foreach(component core camera debug scene)
    set(acre_folder_${component} engine/${component})
endforeach()
foreach(component quadtree culling shadows drawing contacts record import)
    set(acre_folder_${component} modules/${component})
endforeach()

# A library's own export file, so that a program that uses the quadtree alone needs none of the
# packages that another module stands on. pkg-config lists them with the users before the used.
set(acre_components "")
set(acre_pc_libs "")
set(acre_targets core camera debug scene quadtree culling shadows drawing contacts record import)
foreach(component IN LISTS acre_targets)
    if(NOT TARGET acre_${component})
        continue()
    endif()
    list(APPEND acre_components ${component})
    string(PREPEND acre_pc_libs "-lacre_${component} ")
    set_target_properties(acre_${component} PROPERTIES EXPORT_NAME ${component})
    install(TARGETS acre_${component} EXPORT acre-${component}
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
    install(EXPORT acre-${component} NAMESPACE acre:: DESTINATION ${acre_package_dir}
        FILE acre-${component}-targets.cmake)
    install(DIRECTORY ${PROJECT_SOURCE_DIR}/${acre_folder_${component}}/include/
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
endforeach()

# Installed, too, acre::culling is the culler with all that stands on it.
if(TARGET acre_culling)
    set_target_properties(acre_culling PROPERTIES EXPORT_NAME culling_alone)
    set_target_properties(acre_culling_all PROPERTIES EXPORT_NAME culling)
    install(TARGETS acre_culling_all EXPORT acre-culling_all)
    install(EXPORT acre-culling_all NAMESPACE acre:: DESTINATION ${acre_package_dir}
        FILE acre-culling_all-targets.cmake)
endif()

# What only a program that imports files links as well: pkg-config --static.
set(acre_pc_libs_private "")
if(TARGET acre_import)
    set(acre_pc_libs_private "-lassimp")
endif()

# Both paths are relative to the installed file, so that the tree can be moved as a whole.
file(RELATIVE_PATH acre_pc_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" acre_pc_prefix "${acre_pc_prefix}")
configure_file(${PROJECT_SOURCE_DIR}/cmake/acre.pc.in ${PROJECT_BINARY_DIR}/acre.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/acre.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/acre-config.cmake.in
    ${PROJECT_BINARY_DIR}/acre-config.cmake INSTALL_DESTINATION ${acre_package_dir}
    NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/acre-config-version.cmake
    VERSION ${PROJECT_VERSION} COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/acre-config.cmake
    ${PROJECT_BINARY_DIR}/acre-config-version.cmake DESTINATION ${acre_package_dir})
