// SPDX-License-Identifier: MIT
// panel.cpp - the controls of a stage in a window of Dear ImGui. C outside, C++ inside.
#include "panel.h"

extern "C" {
#include "stage_controls.h"
}

#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>

#include <cstdio>

namespace
{

void set_style()
{
    ImGui::StyleColorsDark();
    ImGuiStyle &style = ImGui::GetStyle();
    style.WindowRounding = 4.0f;
    style.FrameRounding = 3.0f;
    style.WindowBorderSize = 0.0f;
    style.ItemSpacing = ImVec2(8.0f, 5.0f);
    style.Colors[ImGuiCol_WindowBg] = ImVec4(0.07f, 0.09f, 0.11f, 0.86f);
    style.Colors[ImGuiCol_FrameBg] = ImVec4(0.19f, 0.23f, 0.27f, 1.0f);
    style.Colors[ImGuiCol_CheckMark] = ImVec4(0.90f, 0.62f, 0.0f, 1.0f);
    style.Colors[ImGuiCol_SliderGrab] = ImVec4(0.34f, 0.71f, 0.91f, 1.0f);
    style.Colors[ImGuiCol_Header] = ImVec4(0.16f, 0.29f, 0.38f, 1.0f);
}

// A square of a color before the word for it.
void draw_key(uint32_t rgba)
{
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const ImU32 color = IM_COL32(rgba >> 24, rgba >> 16 & 255, rgba >> 8 & 255, 255);
    ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(at.x, at.y + 3.0f),
                                              ImVec2(at.x + 12.0f, at.y + 15.0f), color, 2.0f);
    ImGui::Dummy(ImVec2(12.0f, 12.0f));
    ImGui::SameLine();
}

void draw_control(stage_control &control, int number)
{
    ImGui::PushID(number);
    switch (control.kind) {
    case CONTROL_TITLE:
        ImGui::Spacing();
        ImGui::TextColored(ImVec4(0.34f, 0.71f, 0.91f, 1.0f), "%s", control.name);
        ImGui::Separator();
        break;
    case CONTROL_SWITCH:
        ImGui::Checkbox(control.name, control.is_on);
        break;
    case CONTROL_SLIDER:
        ImGui::SetNextItemWidth(200.0f);
        ImGui::SliderInt(control.name, control.value, control.least, control.most, "%d",
                         ImGuiSliderFlags_AlwaysClamp);
        break;
    case CONTROL_CHOICE:
        ImGui::SetNextItemWidth(200.0f);
        ImGui::Combo(control.name, control.value, control.choices, control.most + 1);
        break;
    case CONTROL_READOUT:
        if (control.rgba) {
            draw_key(control.rgba);
        }
        ImGui::TextColored(ImVec4(0.68f, 0.72f, 0.76f, 1.0f), "%s", control.name);
        ImGui::SameLine(168.0f);
        ImGui::PushTextWrapPos(410.0f);
        ImGui::TextUnformatted(control.text);
        ImGui::PopTextWrapPos();
        break;
    }
    if (control.help && ImGui::IsItemHovered()) {
        ImGui::SetTooltip("%s", control.help);
    }
    ImGui::PopID();
}

// Of this window, where it stands at the left edge and leaves most of the picture free.
float left_edge()
{
    const float x = ImGui::GetWindowPos().x, width = ImGui::GetWindowSize().x;
    const bool is_beside = x < 40.0f && x + width < 0.5f * ImGui::GetIO().DisplaySize.x;
    return is_beside && !ImGui::IsWindowCollapsed() ? x + width : 0.0f;
}

} // namespace

bool panel_create()
{
    if (!IMGUI_CHECKVERSION() || !ImGui::CreateContext()) {
        return false;
    }
    ImGuiIO &io = ImGui::GetIO();
    io.IniFilename = nullptr; // writes no file
    io.LogFilename = nullptr;
    io.Fonts->AddFontFromFileTTF(ACRE_VIEW_FONT, 15.0f);
    set_style();
#ifdef __EMSCRIPTEN__
    return ImGui_ImplOpenGL3_Init("#version 300 es");
#else
    return ImGui_ImplOpenGL3_Init("#version 330 core");
#endif
}

void panel_free()
{
    if (ImGui::GetCurrentContext()) {
        ImGui_ImplOpenGL3_Shutdown();
        ImGui::DestroyContext();
    }
}

bool panel_draw(const panel_page *page, const panel_input *input, float *covered_left)
{
    ImGuiIO &io = ImGui::GetIO();
    const float scale = input->scale;
    io.DisplaySize = ImVec2(input->width / scale, input->height / scale);
    io.DisplayFramebufferScale = ImVec2(scale, scale);
    io.DeltaTime = input->seconds > 0.0f ? input->seconds : 1.0f / 60.0f;
    io.MousePos =
        input->x < 0.0f ? ImVec2(-1e6f, -1e6f) : ImVec2(input->x / scale, input->y / scale);
    io.MouseWheel = input->wheel;
    for (int i = 0; i < 3; i++) {
        io.MouseDown[i] = input->buttons[i];
    }
    ImGui_ImplOpenGL3_NewFrame();
    ImGui::NewFrame();
    ImGui::SetNextWindowPos(ImVec2(12.0f, 12.0f), ImGuiCond_Once);
    ImGui::SetNextWindowSizeConstraints(ImVec2(330.0f, 0.0f),
                                        ImVec2(440.0f, io.DisplaySize.y - 24.0f));
    ImGui::Begin(page->title, nullptr,
                 ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoSavedSettings);
    if (page->about) {
        ImGui::PushTextWrapPos(424.0f);
        ImGui::TextUnformatted(page->about);
        ImGui::PopTextWrapPos();
    }
    unsigned in_row = 0;
    for (unsigned i = 0; i < page->control_count; i++) {
        // Switches stand two in a row.
        const bool is_switch = page->controls[i].kind == CONTROL_SWITCH;
        in_row =
            is_switch && i > 0 && page->controls[i - 1].kind == CONTROL_SWITCH ? in_row + 1 : 0;
        if (in_row % 2 == 1) {
            ImGui::SameLine(168.0f);
        }
        draw_control(page->controls[i], static_cast<int>(i));
    }
    *covered_left = left_edge();
    ImGui::End();
    ImGui::Render();
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
    return io.WantCaptureMouse;
}
