// Numbers over time, packed for a page of text.
//
//   1. to the nearest multiple k_i of a step, counted from one just below their least value; what is no number becomes -1
//   2. differences of order 0, 1 or 2 of the k_i, whichever is shortest
//   3. sign in the last bit (0, -1, 1, -2, ... become 0, 1, 2, 3, ...), seven bits a byte, the lowest first, the eighth set
//      where more follow
//   4. base64
// Smooth motion takes one or two bytes a number so, and what does not change is one number in all.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "stance_model/json.hpp"

namespace stance::report {

std::string base64(std::string_view bytes);

struct Channel {
  double least = 0, step = 0;
  int order = 0;
  std::string bytes;      // after 3
  bool constant = false;  // every value is `least`, or no number if that is none
};

// A step of zero: 1/32768 of the range. Steps are larger than asked for where the range has more than 2^40 of them.
Channel pack(std::span<const double> values, double step);
// The other way; `count` as packed. What a reader does, for tests.
std::vector<double> unpack(const Channel& channel, std::size_t count);

// The number itself if it is constant; else an object of least, step, order and bytes.
void write(const Channel& channel, JsonWriter& json);

}  // namespace stance::report
