// Elements that are not used, counted by their name: a robot has hundreds of shapes, and a broken file millions of
// anything. Of so many names the first are kept, the rest only counted.
#pragma once

#include <tinyxml2.h>

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

namespace stance {

// No more remarks than this on what stands in one element.
inline constexpr std::size_t kMostTold = 100;

class Tally {
 public:
  struct Kind {
    int number = 0;
    int first_line = 0;
  };

  void count(const tinyxml2::XMLElement& element) {
    constexpr std::size_t kLongest = 80;
    const std::string name(std::string_view(element.Name()).substr(0, kLongest));
    const auto found = kinds_.find(name);
    if (found != kinds_.end()) {
      ++found->second.number;
    } else if (kinds_.size() < kMostTold) {
      kinds_[name] = {1, element.GetLineNum()};
    } else {
      ++others_;
    }
  }

  const std::map<std::string, Kind>& kinds() const { return kinds_; }
  int others() const { return others_; }  // of names beyond the first kMostTold

 private:
  std::map<std::string, Kind> kinds_;
  int others_ = 0;
};

}  // namespace stance
