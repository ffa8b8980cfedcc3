# SPDX-License-Identifier: MIT
# host_headers.cmake - ACRE_HOST_HEADERS: cross compilers take cglm and SIMDe from this machine.
#
# Both are headers alone, the same for every processor. The folder that they stand in has the headers of
# this machine's C library as well, which no cross compiler may see: a folder of the build has links to
# these two, and nothing else.
if(NOT ACRE_HOST_HEADERS OR NOT CMAKE_CROSSCOMPILING)
    return()
endif()
set(acre_host_headers ${PROJECT_BINARY_DIR}/host_headers)
file(MAKE_DIRECTORY ${acre_host_headers})
foreach(folder /usr/local/include /usr/include)
    foreach(library cglm simde)
        if(IS_DIRECTORY ${folder}/${library} AND NOT EXISTS ${acre_host_headers}/${library})
            file(CREATE_LINK ${folder}/${library} ${acre_host_headers}/${library} SYMBOLIC)
        endif()
    endforeach()
endforeach()
include_directories(SYSTEM ${acre_host_headers})
list(APPEND CMAKE_REQUIRED_INCLUDES ${acre_host_headers})
if(NOT ACRE_CGLM_INCLUDE_DIR AND EXISTS ${acre_host_headers}/cglm/cglm.h)
    set(ACRE_CGLM_INCLUDE_DIR ${acre_host_headers} CACHE PATH "The folder of cglm/cglm.h" FORCE)
endif()
