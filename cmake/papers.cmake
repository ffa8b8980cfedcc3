# SPDX-License-Identifier: MIT
# papers.cmake - what README.md and the pages behind it link to, so that an installed copy has no link
# that leads nowhere.

# acre_linked_files(out): their paths in the sources, README.md and each file that a page reached from it
# links to.
function(acre_linked_files out)
    set(waiting README.md)
    set(found "")
    while(waiting)
        list(POP_FRONT waiting page)
        list(APPEND found ${page})
        if(NOT page MATCHES "\\.md$")
            continue()
        endif()
        get_filename_component(folder "${PROJECT_SOURCE_DIR}/${page}" DIRECTORY)
        file(READ "${PROJECT_SOURCE_DIR}/${page}" text)
        # A list of CMake's own cannot hold brackets and semicolons.
        string(REPLACE "](" "<link>" text "${text}")
        string(REGEX REPLACE "[][;]" " " text "${text}")
        string(REGEX MATCHALL "<link>[^)# ]+" links "${text}")
        foreach(link IN LISTS links)
            string(SUBSTRING "${link}" 6 -1 link)
            get_filename_component(file "${link}" ABSOLUTE BASE_DIR "${folder}")
            if(NOT link MATCHES "^[a-z]+:" AND EXISTS "${file}" AND NOT IS_DIRECTORY "${file}")
                file(RELATIVE_PATH file "${PROJECT_SOURCE_DIR}" "${file}")
                if(NOT file IN_LIST found AND NOT file IN_LIST waiting)
                    list(APPEND waiting ${file})
                endif()
            endif()
        endforeach()
    endwhile()
    set(${out} ${found} PARENT_SCOPE)
endfunction()

# acre_install_papers(folder arguments...): them, in the same folders below `folder`. They are looked for
# when installing, as pages change without a new configuration. The arguments are those of install().
function(acre_install_papers destination)
    install(CODE "
        cmake_policy(SET CMP0057 NEW) # if(IN_LIST); installing scripts set none
        set(PROJECT_SOURCE_DIR \"${PROJECT_SOURCE_DIR}\")
        include(\"${PROJECT_SOURCE_DIR}/cmake/papers.cmake\")
        acre_linked_files(files)
        foreach(file IN LISTS files)
            get_filename_component(folder \"\${file}\" DIRECTORY)
            file(INSTALL DESTINATION \"\${CMAKE_INSTALL_PREFIX}/${destination}/\${folder}\" TYPE FILE
                FILES \"\${PROJECT_SOURCE_DIR}/\${file}\")
        endforeach()" ${ARGN})
endfunction()
