# SPDX-License-Identifier: MIT
# portfile.cmake - a port of vcpkg, from the sources that this folder lies in.
#     vcpkg install acre --overlay-ports=tools/package/vcpkg
# Written from vcpkg's documentation; nobody has tried it yet.
get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../../../.." ABSOLUTE)

vcpkg_check_features(OUT_FEATURE_OPTIONS options
    FEATURES
        import VCPKG_LOCK_FIND_PACKAGE_assimp
    INVERTED_FEATURES
        culling ACRE_WITHOUT_CGLM
        kernels ACRE_WITHOUT_SIMDE)
vcpkg_cmake_configure(SOURCE_PATH "${SOURCE_PATH}"
    OPTIONS ${options} -DACRE_BUILD_TESTS=OFF -DACRE_BUILD_TOOLS=OFF
    MAYBE_UNUSED_VARIABLES VCPKG_LOCK_FIND_PACKAGE_assimp)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(PACKAGE_NAME acre CONFIG_PATH lib/cmake/acre)
vcpkg_fixup_pkgconfig()
vcpkg_copy_pdbs()

file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share"
    "${CURRENT_PACKAGES_DIR}/share/doc")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
