# SPDX-License-Identifier: MIT
# page.cmake - the viewer and the measurement as WebAssembly; tools/package.sh calls it with
# Emscripten, and puts what it makes into pages.
set(acre_view ${CMAKE_CURRENT_SOURCE_DIR}/view)
set(acre_view_made ${CMAKE_CURRENT_BINARY_DIR}/view)

# Shaders, as view.cmake makes them.
set(acre_view_shaders "")
foreach(name frame light solid.vert solid.frag depth.vert depth.frag sky.vert sky.frag
        box.vert point.vert face.vert line.vert line.frag flat.vert flat.frag)
    list(APPEND acre_view_shaders ${acre_view}/shaders/${name}.glsl)
endforeach()
add_custom_command(OUTPUT ${acre_view_made}/shader_texts.c
    COMMAND ${CMAKE_COMMAND} "-DOUT=${acre_view_made}/shader_texts.c" "-DFILES=${acre_view_shaders}"
        -P ${acre_view}/embed_shaders.cmake
    DEPENDS ${acre_view_shaders} ${acre_view}/embed_shaders.cmake VERBATIM)
# A model that was read elsewhere: import without its file reader.
add_library(acre_page_model STATIC ${PROJECT_SOURCE_DIR}/modules/import/src/import_model.c
    ${PROJECT_SOURCE_DIR}/modules/import/src/import_scene.c
    ${PROJECT_SOURCE_DIR}/modules/import/src/import_reader.c)
target_include_directories(acre_page_model
    PUBLIC ${PROJECT_SOURCE_DIR}/modules/import/include
    PRIVATE ${PROJECT_SOURCE_DIR}/engine/core/src)
target_link_libraries(acre_page_model PRIVATE acre_flags PUBLIC acre_scene acre_occlusion)

# The scan that the tree is compared with.
add_library(acre_page_scans STATIC bench/bench_simd.c bench/bench_scans.c bench/bench_scan_answers.c)
target_include_directories(acre_page_scans PUBLIC bench ${PROJECT_SOURCE_DIR}/tests/support
    ${PROJECT_SOURCE_DIR}/engine/core/src)
target_compile_definitions(acre_page_scans PRIVATE ACRE_BENCH_WASM=1)
target_compile_options(acre_page_scans PRIVATE -msse4.1)
target_link_libraries(acre_page_scans PRIVATE acre_flags PUBLIC acre_quadtree)

# Scripts call their functions, no C does.
set_source_files_properties(view/page/page.c view/page/measure.c PROPERTIES
    COMPILE_OPTIONS -Wno-missing-prototypes)

# Pages are to be small; what is measured on them is to be fast. Each file gets one such flag alone:
# of two, the compiler heeds both in part.
target_compile_options(acre_page_scans PRIVATE -O3)
list(TRANSFORM acre_modules PREPEND acre_ OUTPUT_VARIABLE libraries)
list(REMOVE_ITEM libraries acre_quadtree)
foreach(library IN LISTS libraries ITEMS acre_tool_parts acre_page_model)
    if(TARGET ${library}_inside OR library MATCHES "tool_parts|page_model")
        target_compile_options(${library} PRIVATE -Oz)
    endif()
endforeach()
get_target_property(acre_page_files acre_quadtree SOURCES)
get_target_property(acre_page_folder acre_quadtree SOURCE_DIR)
foreach(file IN LISTS acre_page_files)
    set(flag -Oz)
    if(file MATCHES "kernel_(volume|refresh)_sse4|_(walk|sink|query|batch|edit|nodes|blocks|upkeep)\\.c$")
        set(flag -O2)
    endif()
    # Files that CMake makes have the whole path already.
    get_filename_component(file "${file}" ABSOLUTE BASE_DIR "${acre_page_folder}")
    set_property(SOURCE "${file}" TARGET_DIRECTORY acre_quadtree
        APPEND PROPERTY COMPILE_OPTIONS ${flag})
endforeach()

# acre_page(name functions...): a module whose functions a page's script calls.
function(acre_page name)
    list(TRANSFORM ARGN PREPEND _ OUTPUT_VARIABLE functions)
    string(REPLACE ";" "," functions "${functions}")
    target_link_options(${name} PRIVATE -sMODULARIZE=1 -sEXPORT_NAME=make_${name} -sENVIRONMENT=web
        -sFILESYSTEM=0 -sALLOW_MEMORY_GROWTH=1 -sINITIAL_MEMORY=33554432 -sTOTAL_STACK=1048576
        -sEXPORTED_RUNTIME_METHODS=ccall,cwrap -sEXPORTED_FUNCTIONS=${functions}
        -sMIN_WEBGL_VERSION=2 -sMAX_WEBGL_VERSION=2 -sGL_SUPPORT_AUTOMATIC_ENABLE_EXTENSIONS=0)
endfunction()

add_executable(acre_page view/page/page.c view/page/panel_table.c view/page/page_sheet.c view/page/page_text.c view/page/page_file.c
    view/gl_parts.c view/renderer.c view/instances.c view/shadow_maps.c view/mesh_store.c
    view/sheet.c view/view_city.c view/view_occlusion.c view/city_meshes.c view/view_city_draw.c view/car_mesh.c
    view/viewer.c view/viewer_cameras.c view/viewer_screens.c view/viewer_controls.c view/view_cells.c view/view_marks.c view/view_hud.c view/view_method.c view/view_figures.c
    view/stage.c view/stage_solids.c view/samples.c view/sample_idea.c view/sample_panels.c view/sample_rectangle.c
    view/sample_agents.c view/sample_crowd.c view/sample_towers.c view/sample_towns.c
    view/sample_views.c view/sample_lods.c view/sample_shapes.c view/sample_hiding.c view/sample_occlusion.c view/sample_rooms.c view/sample_recording.c
    view/recording_player.c view/query_shapes.c view/view_overlays.c view/view_camera.c
    workers.c inspect/inspect_numbers.c run/run_world.c run/run_statistics.c agents/agents_world.c
    ${acre_view_made}/shader_texts.c)
target_include_directories(acre_page PRIVATE view view/page inspect run agents)
target_compile_options(acre_page PRIVATE -Oz)
target_link_options(acre_page PRIVATE -Oz)
target_link_libraries(acre_page PRIVATE acre_flags acre_tool_parts acre_page_model acre_page_scans
    acre_culling acre_shadows acre_drawing acre_debug acre_record)
acre_page(acre_page page_room page_open page_frame page_key page_pointer page_button page_wheel
    page_panel page_texts page_set page_set_shadows page_numbers page_state)

add_executable(acre_measure view/page/measure.c)
target_include_directories(acre_measure PRIVATE .)
target_compile_options(acre_measure PRIVATE -O3)
target_link_options(acre_measure PRIVATE -O3)
target_link_libraries(acre_measure PRIVATE acre_flags acre_page_scans acre_quadtree)
acre_page(acre_measure measure_make measure_boxes measure_views measure_move measure_refresh
    measure_tree measure_scan measure_found measure_free)
