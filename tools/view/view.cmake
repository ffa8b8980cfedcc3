# SPDX-License-Identifier: MIT
# view.cmake - `acre view`: the renderer, its window and its pictures. Left out where what it needs
# is not installed.
find_package(PkgConfig QUIET)
set(acre_view_missing "")
foreach(part epoxy:libepoxy-dev egl:libegl-dev glfw3:libglfw3-dev imgui:libimgui-dev stb:libstb-dev)
    string(REPLACE ":" ";" part ${part})
    list(GET part 0 module)
    list(GET part 1 package)
    string(TOUPPER ACRE_${module} prefix)
    if(PkgConfig_FOUND)
        pkg_check_modules(${prefix} QUIET IMPORTED_TARGET GLOBAL ${module})
    endif()
    if(NOT ${prefix}_FOUND)
        string(APPEND acre_view_missing " ${package}")
    endif()
endforeach()
find_file(ACRE_VIEW_FONT DejaVuSans.ttf PATHS /usr/share/fonts/truetype/dejavu
    /usr/share/fonts/dejavu /usr/share/fonts/TTF)
if(NOT ACRE_VIEW_FONT)
    string(APPEND acre_view_missing " fonts-dejavu-core")
endif()
if(NOT CMAKE_CXX_COMPILER)
    string(APPEND acre_view_missing " g++")
endif()
if(acre_view_missing)
    message(STATUS "acre view is left out: missing (Debian):${acre_view_missing}; "
        "tools/setup.sh view installs them")
    return()
endif()

# Shaders as C strings and the font as a picture of its letters, so that the program needs no files.
set(acre_view_shaders "")
foreach(name frame light solid.vert solid.frag depth.vert depth.frag sky.vert sky.frag
        box.vert point.vert face.vert line.vert line.frag flat.vert flat.frag)
    list(APPEND acre_view_shaders ${CMAKE_CURRENT_SOURCE_DIR}/view/shaders/${name}.glsl)
endforeach()
set(acre_view_made ${CMAKE_CURRENT_BINARY_DIR}/view)
file(MAKE_DIRECTORY ${acre_view_made}) # either of the two may be made first
add_custom_command(OUTPUT ${acre_view_made}/shader_texts.c
    COMMAND ${CMAKE_COMMAND} "-DOUT=${acre_view_made}/shader_texts.c" "-DFILES=${acre_view_shaders}"
        -P ${CMAKE_CURRENT_SOURCE_DIR}/view/embed_shaders.cmake
    DEPENDS ${acre_view_shaders} ${CMAKE_CURRENT_SOURCE_DIR}/view/embed_shaders.cmake VERBATIM)
add_executable(make_font view/make_font.c)
target_link_libraries(make_font PRIVATE acre_flags PkgConfig::ACRE_STB m)
target_include_directories(make_font PRIVATE view)
add_custom_command(OUTPUT ${acre_view_made}/font_letters.c
    COMMAND make_font ${ACRE_VIEW_FONT} ${acre_view_made}/font_letters.c
    DEPENDS make_font VERBATIM)

# The one file in C++; acre_flags has flags that C++ compilers do not know.
add_library(acre_view_panel STATIC view/panel.cpp)
target_compile_features(acre_view_panel PRIVATE cxx_std_17)
target_compile_definitions(acre_view_panel PRIVATE ACRE_VIEW_FONT="${ACRE_VIEW_FONT}")
target_link_libraries(acre_view_panel PRIVATE PkgConfig::ACRE_IMGUI PkgConfig::ACRE_STB)
if(ACRE_SANITIZE)
    target_compile_options(acre_view_panel PRIVATE -fsanitize=${ACRE_SANITIZE})
endif()

# Everything but main, so that tests can call it.
add_library(acre_view_parts STATIC
    view/gl_parts.c view/renderer.c view/instances.c view/shadow_maps.c view/mesh_store.c
    view/sheet.c view/sheet_text.c view/picture_file.c view/palette.c view/animation_file.c view/view_animation.c
    view/surface_egl.c view/surface_window.c
    view/view_city.c view/view_occlusion.c view/city_meshes.c view/view_city_draw.c view/car_mesh.c
    view/viewer.c view/viewer_cameras.c view/viewer_screens.c view/viewer_controls.c view/view_cells.c view/view_marks.c view/view_hud.c view/view_method.c view/view_figures.c
    view/stage.c view/stage_solids.c view/samples.c view/sample_idea.c view/sample_panels.c
    view/sample_rectangle.c view/sample_agents.c view/sample_crowd.c view/sample_towers.c view/sample_towns.c
    view/sample_views.c view/sample_lods.c view/sample_shapes.c view/sample_hiding.c view/sample_occlusion.c view/sample_rooms.c view/sample_interest.c
    view/sample_parts.c view/query_shapes.c view/view_memory.c view/view_options.c view/view_names.c view/view_overlays.c view/view_command.c view/view_camera.c
    ${acre_view_made}/shader_texts.c ${acre_view_made}/font_letters.c)
target_include_directories(acre_view_parts PUBLIC ${CMAKE_CURRENT_SOURCE_DIR}/view)
target_link_libraries(acre_view_parts PRIVATE acre_flags PkgConfig::ACRE_EGL PkgConfig::ACRE_GLFW3
    acre_view_panel PNG::PNG ZLIB::ZLIB
    PUBLIC acre_run_parts acre_bench_parts acre_agents_parts acre_crowd_parts acre_interest acre_shadows acre_drawing acre_debug acre_record PkgConfig::ACRE_EPOXY)
