// tf2_ros's own, by the name that this version of it has: Humble and Jazzy know .h, later ones .hpp.
#pragma once

#if __has_include("tf2_ros/transform_broadcaster.hpp")
#include "tf2_ros/transform_broadcaster.hpp"
#else
#include "tf2_ros/transform_broadcaster.h"
#endif
