// Thousands of broken robots, always the same ones: never a crash, always a model or an error with words, and where
// urdfdom accepts without complaint as well, the same robot.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "robot_folders.hpp"
#include "sample_robot.hpp"
#include "stance_model/load_robot.hpp"
#include "urdfdom_agreement.hpp"

namespace stance {
namespace {

bool all_finite(const Model& model) {
  double sum = 0;  // of magnitudes: not finite if one of them is not
  const auto add = [&](double x) { sum += std::isfinite(x) ? 0 : x; };
  const auto add_transform = [&](const Transform<double>& X) {
    const Eigen::Matrix3d R = X.R.eigen();
    for (int i = 0; i < 9; ++i) add(R.data()[i]);
    add(X.p.x), add(X.p.y), add(X.p.z);
  };
  for (int i = 0; i < model.body_count; ++i) {
    const auto& I = model.bodies[static_cast<std::size_t>(i)].I;
    add(I.m), add(I.h.x), add(I.h.y), add(I.h.z);
    const Eigen::Matrix3d moments = I.I.eigen();
    for (int k = 0; k < 9; ++k) add(moments.data()[k]);
    if (i > 0) add_transform(model.joints[static_cast<std::size_t>(i)].X_PN);
  }
  for (int i = 0; i < model.frame_count; ++i)
    add_transform(model.frames[static_cast<std::size_t>(i)].X_HF);
  return sum == 0;
}

void expect_model_or_error(const std::string& xml) {
  const auto robot = make_robot(xml);
  if (!robot) {
    EXPECT_FALSE(robot.error().message.empty());
    return;
  }
  EXPECT_TRUE(all_finite((*robot)->model));
  expect_urdfdom_agrees(xml, (*robot)->description);
}

class FuzzTest : public testing::Test {
 protected:
  // Runs `check` on the sample and on each of our robots.
  template <class Check>
  void for_each_robot(const Check& check) {
    check(std::string(kSampleRobot));
    for (const auto& file : urdf_files(own_folder())) {
      SCOPED_TRACE(file.filename().string());
      const auto text = read_robot_file(file);
      ASSERT_TRUE(text);
      check(*text);
      if (HasFailure()) return;
    }
  }

  std::size_t below(std::size_t bound) {
    return std::uniform_int_distribution<std::size_t>(0, bound - 1)(random_);
  }

  std::mt19937 random_{20220};
};

TEST_F(FuzzTest, CutOff) {
  for_each_robot([](const std::string& text) {
    for (std::size_t length = 0; length < text.size(); length += 97) {
      expect_model_or_error(text.substr(0, length));
    }
  });
}

TEST_F(FuzzTest, Bytes) {
  for_each_robot([&](const std::string& text) {
    for (int round = 0; round < 250; ++round) {
      std::string broken = text;
      for (std::size_t edits = 1 + below(4); edits > 0; --edits) {
        const std::size_t at = below(broken.size());
        switch (below(4)) {
          case 0: broken[at] = static_cast<char>(below(256)); break;
          case 1: broken.erase(at, 1 + below(8)); break;
          case 2: broken.insert(at, broken.substr(at, 1 + below(60))); break;
          default: broken[at] = "<>\"'/= &-.0!?"[below(13)]; break;
        }
      }
      SCOPED_TRACE(round);
      expect_model_or_error(broken);
    }
  });
}

// Where the values of attributes stand in the text.
std::vector<std::pair<std::size_t, std::size_t>> attribute_values(const std::string& text) {
  std::vector<std::pair<std::size_t, std::size_t>> values;
  for (std::size_t at = text.find("=\""); at != std::string::npos; at = text.find("=\"", at)) {
    const std::size_t end = text.find('"', at + 2);
    if (end == std::string::npos) break;
    values.emplace_back(at + 2, end - at - 2);
    at = end;
  }
  return values;
}

TEST_F(FuzzTest, Values) {
  const std::array<std::string, 20> replacements{"nan",
                                                 "inf",
                                                 "-inf",
                                                 "1e999",
                                                 "-1e999",
                                                 "1e-999",
                                                 "1e308",
                                                 "-1e308",
                                                 "1e-308",
                                                 "-1",
                                                 "0",
                                                 "",
                                                 "0 0 0",
                                                 "1 0 0",
                                                 "1e200 0 0",
                                                 "1e-200 0 0",
                                                 "1e308 1e308 1e308",
                                                 "fixed",
                                                 "revolute",
                                                 "trunk"};
  for_each_robot([&](const std::string& text) {
    const auto values = attribute_values(text);
    for (int round = 0; round < 500; ++round) {
      std::string broken = text;
      const auto [at, length] = values[below(values.size())];
      const std::string& replacement = replacements[below(replacements.size())];
      broken.replace(at, length, replacement);
      SCOPED_TRACE(text.substr(at > 60 ? at - 60 : 0, at > 60 ? 60 : at) + "[" + replacement + "]");
      expect_model_or_error(broken);
    }
  });
}

TEST_F(FuzzTest, Elements) {
  for_each_robot([&](const std::string& text) {
    std::vector<std::size_t> begins;
    for (std::size_t at = text.find('<'); at != std::string::npos; at = text.find('<', at + 1))
      begins.push_back(at);
    begins.push_back(text.size());
    for (int round = 0; round < 250; ++round) {  // a tag dropped, doubled, or moved elsewhere
      const std::size_t i = below(begins.size() - 1);
      const std::string tag = text.substr(begins[i], begins[i + 1] - begins[i]);
      std::string broken = text;
      const std::size_t kind = below(3);
      if (kind != 1) broken.erase(begins[i], tag.size());
      if (kind == 1) broken.insert(begins[i], tag);
      if (kind == 2) broken.insert(std::min(begins[below(begins.size())], broken.size()), tag);
      SCOPED_TRACE(tag);
      expect_model_or_error(broken);
    }
  });
}

}  // namespace
}  // namespace stance
