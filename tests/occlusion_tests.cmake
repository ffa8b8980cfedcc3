# SPDX-License-Identifier: MIT
# occlusion_tests.cmake - the tests of modules/occlusion.
acre_add_test(occlusion/test_occluder acre_occlusion)
