# SPDX-License-Identifier: MIT
# embed_shaders.cmake - writes OUT: for each of FILES, a.b.glsl, a C string shader_a_b.
set(text "// shader_texts.c - made from tools/view/shaders by embed_shaders.cmake.\n")
string(APPEND text "#include \"shader_texts.h\"\n\n")
foreach(file IN LISTS FILES)
    get_filename_component(name ${file} NAME)
    string(REPLACE ".glsl" "" name ${name})
    string(REPLACE "." "_" name ${name})
    file(READ ${file} bytes HEX)
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1, " bytes "${bytes}")
    string(APPEND text "const char shader_${name}[] = {${bytes}0};\n")
endforeach()
file(WRITE ${OUT} "${text}")
