// SPDX-License-Identifier: MIT
// panel_table.c - the controls of a stage as text, from which a page makes its panel.
#include "panel_table.h"

#include "page_text.h"
#include "panel.h"
#include "stage_controls.h"

static struct {
    page_text json;
    bool is_change_wanted;
    unsigned number; // of the control that changes
    int value;
} table;

static void add_control(const stage_control *control)
{
    page_text_add(&table.json, "{\"kind\":%d,\"name\":", (int)control->kind);
    page_text_add_quoted(&table.json, control->name);
    if (control->help) {
        page_text_add(&table.json, ",\"help\":");
        page_text_add_quoted(&table.json, control->help);
    }
    switch (control->kind) {
    case CONTROL_TITLE:
        break;
    case CONTROL_SWITCH:
        page_text_add(&table.json, ",\"value\":%d", (int)*control->is_on);
        break;
    case CONTROL_SLIDER:
        page_text_add(&table.json, ",\"value\":%d,\"least\":%d,\"most\":%d", *control->value,
                      control->least, control->most);
        break;
    case CONTROL_CHOICE:
        page_text_add(&table.json, ",\"value\":%d,\"choices\":[", *control->value);
        for (int i = 0; i <= control->most; i++) {
            page_text_add(&table.json, "%s", i ? "," : "");
            page_text_add_quoted(&table.json, control->choices[i]);
        }
        page_text_add(&table.json, "]");
        break;
    case CONTROL_READOUT:
        if (control->rgba) {
            page_text_add(&table.json, ",\"color\":\"#%08x\"", (unsigned)control->rgba);
        }
        page_text_add(&table.json, ",\"text\":");
        page_text_add_quoted(&table.json, control->text);
        break;
    }
    page_text_add(&table.json, "}");
}

static void change(const panel_page *page)
{
    stage_control *const control =
        table.number < page->control_count ? &page->controls[table.number] : NULL;
    table.is_change_wanted = false;
    if (control && control->kind == CONTROL_SWITCH) {
        *control->is_on = table.value != 0;
    } else if (control && control->value && table.value >= control->least &&
               table.value <= control->most) {
        *control->value = table.value;
    }
}

bool panel_create(void)
{
    table.json.length = 0;
    table.is_change_wanted = false;
    return true;
}

void panel_free(void)
{
    table.json.length = 0;
}

bool panel_draw(const panel_page *page, const panel_input *input, float *covered_left)
{
    (void)input;
    (void)covered_left;
    if (table.is_change_wanted) {
        change(page);
    }
    table.json.length = 0;
    page_text_add(&table.json, "{\"title\":");
    page_text_add_quoted(&table.json, page->title);
    page_text_add(&table.json, ",\"about\":");
    page_text_add_quoted(&table.json, page->about ? page->about : "");
    page_text_add(&table.json, ",\"controls\":[");
    for (unsigned i = 0; i < page->control_count; i++) {
        page_text_add(&table.json, "%s", i ? "," : "");
        add_control(&page->controls[i]);
    }
    page_text_add(&table.json, "]}");
    return false; // the page takes what is clicked in its panel
}

const char *panel_table_text(void)
{
    return table.json.length > 0 ? table.json.text : "";
}

void panel_table_set(unsigned number, int value)
{
    table.number = number;
    table.value = value;
    table.is_change_wanted = true;
}
