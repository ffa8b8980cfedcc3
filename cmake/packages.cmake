# SPDX-License-Identifier: MIT
# packages.cmake - Debian's binary packages, for tools/package.sh deb: the library, the one that reads
# scene files, what programs are built with, and the program `acre`. Built with BUILD_SHARED_LIBS.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME acre)
set(CPACK_PACKAGE_VENDOR "The Acre authors")
# Debian's Maintainer is who builds the package: DEBFULLNAME and DEBEMAIL, as for Debian's own tools.
set(CPACK_PACKAGE_CONTACT "The Acre authors <root@localhost>")
if(DEFINED ENV{DEBFULLNAME} AND DEFINED ENV{DEBEMAIL})
    set(CPACK_PACKAGE_CONTACT "$ENV{DEBFULLNAME} <$ENV{DEBEMAIL}>")
endif()
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_COMPONENTS_ALL library dev)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS "${PROJECT_BINARY_DIR}")
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)

# While the major version is 0, each minor version has an interface, and so a package, of its own.
set(acre_interface ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libacre${acre_interface})
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
set(CPACK_COMPONENT_LIBRARY_DESCRIPTION
    "Loose quadtree over the ground plane, and the scene that it culls
 Answers what a camera sees of up to a million objects that stand and move.")
set(CPACK_DEBIAN_DEV_PACKAGE_NAME libacre-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_COMPONENT_DEV_DESCRIPTION
    "Headers, CMake package and pkg-config files of Acre
 What programs that use libacre are built with.")
set(acre_same "(= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "libacre${acre_interface} ${acre_same}")
if(TARGET acre_import)
    list(APPEND CPACK_COMPONENTS_ALL import)
    set(CPACK_DEBIAN_IMPORT_PACKAGE_NAME libacre-import${acre_interface})
    set(CPACK_DEBIAN_IMPORT_PACKAGE_SECTION libs)
    set(CPACK_DEBIAN_IMPORT_PACKAGE_DEPENDS "libacre${acre_interface} ${acre_same}")
    set(CPACK_COMPONENT_IMPORT_DESCRIPTION
        "Scene files as entities of Acre
 Reads glTF and what else assimp reads.")
    string(APPEND CPACK_DEBIAN_DEV_PACKAGE_DEPENDS ", libacre-import${acre_interface} ${acre_same}")
endif()
if(TARGET acre)
    list(APPEND CPACK_COMPONENTS_ALL tools)
    set(CPACK_DEBIAN_TOOLS_PACKAGE_NAME acre)
    set(CPACK_DEBIAN_TOOLS_PACKAGE_SECTION graphics)
    set(CPACK_COMPONENT_TOOLS_DESCRIPTION
        "Viewer, benchmark and inspector of Acre
 Shows and measures what is culled in a scene.")
endif()

# Each package has papers of its own, so that packages of two minor versions can be installed together.
# Debian looks for the license in the file `copyright`.
foreach(component IN LISTS CPACK_COMPONENTS_ALL)
    string(TOUPPER ${component} upper)
    set(acre_papers ${CMAKE_INSTALL_DATADIR}/doc/${CPACK_DEBIAN_${upper}_PACKAGE_NAME})
    install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${acre_papers} RENAME copyright
        COMPONENT ${component} EXCLUDE_FROM_ALL)
    install(FILES ${PROJECT_SOURCE_DIR}/CHANGES.md ${PROJECT_SOURCE_DIR}/tools/package/THIRD_PARTY.md
        DESTINATION ${acre_papers} COMPONENT ${component} EXCLUDE_FROM_ALL)
endforeach()
# The README and the manual, whose links lead to one another, come once.
acre_install_papers(${CMAKE_INSTALL_DATADIR}/doc/${CPACK_DEBIAN_DEV_PACKAGE_NAME}
    COMPONENT dev EXCLUDE_FROM_ALL)
include(CPack)
