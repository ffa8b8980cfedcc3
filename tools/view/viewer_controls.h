// SPDX-License-Identifier: MIT
// viewer_controls.h - what the panel shows of a frame: switches, sliders, figures, what was
// clicked.
#ifndef ACRE_TOOLS_VIEWER_CONTROLS_H
#define ACRE_TOOLS_VIEWER_CONTROLS_H

#include "viewer.h"

// Of the city: who steers, how the visible are found, what the library took, the overlays.
void viewer_add_city_controls(viewer *v);

// Of a sample: the overlays that show its trees, where it has any.
void viewer_add_sample_controls(viewer *v);

// The box that was clicked, its cell, and why it is visible or not.
void viewer_show_picked(viewer *v);

#endif
