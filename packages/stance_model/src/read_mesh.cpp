// Meshes of triangles from files: STL (text and binary) and Wavefront OBJ.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <map>

#include "read_file.hpp"
#include "refusal.hpp"
#include "stance_model/geometry.hpp"

namespace stance {
namespace {

namespace fs = std::filesystem;

std::string of_file(const fs::path& path) { return fmt::format("file '{}'", path.string()); }

// The words of a text, line by line.
class Lines {
 public:
  Lines(std::string_view text, const fs::path& path) : rest_(text), path_(path) {}

  bool next() {
    words_.clear();
    if (rest_.empty()) return false;
    const std::size_t end = std::min(rest_.find('\n'), rest_.size());
    std::string_view line = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    ++number_;
    for (std::size_t at = 0; (at = line.find_first_not_of(" \t\r", at)) != line.npos;) {
      const std::size_t stop = std::min(line.find_first_of(" \t\r", at), line.size());
      words_.push_back(line.substr(at, stop - at));
      at = stop;
    }
    return true;
  }
  std::size_t count() const { return words_.size(); }
  std::string_view word(std::size_t i) const {
    return i < words_.size() ? words_[i] : std::string_view();
  }
  [[noreturn]] void refuse_line(std::string_view why) const {
    refuse(ErrorCode::kSyntax, of_file(path_), fmt::format("line {}: {}", number_, why));
  }
  Eigen::Vector3f point(std::size_t first) const {
    Eigen::Vector3f p;
    for (int i = 0; i < 3; ++i) {
      std::string_view text = word(first + static_cast<std::size_t>(i));
      if (text.starts_with('+')) text.remove_prefix(1);
      float value = 0;
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
      if (text.empty() || error == std::errc::invalid_argument ||
          end != text.data() + text.size() || !std::isfinite(value)) {
        refuse_line("a vertex needs three finite numbers; export the mesh anew");
      }
      p[i] = value;
    }
    return p;
  }

 private:
  std::string_view rest_;
  const fs::path& path_;
  std::vector<std::string_view> words_;
  int number_ = 0;
};

// Corners that are equal to the last bit become one vertex; a triangle of two corners is none.
class Weld {
 public:
  int vertex(const Eigen::Vector3f& p) {
    const std::array<float, 3> key{p.x() + 0.F, p.y() + 0.F, p.z() + 0.F};  // -0 is 0
    const auto [entry, is_new] = index_.emplace(key, static_cast<int>(mesh.vertices.size()));
    if (is_new) mesh.vertices.push_back(p);
    return entry->second;
  }
  void triangle(int a, int b, int c) {
    if (a != b && b != c && c != a) mesh.triangles.push_back({a, b, c});
  }
  Mesh mesh;

 private:
  std::map<std::array<float, 3>, int> index_;
};

constexpr std::size_t kStlHeader = 80, kStlTriangle = 50;  // bytes

std::uint32_t word_at(std::string_view bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i)  // little-endian, whatever we are
    value |= std::uint32_t{static_cast<unsigned char>(bytes[at + i])} << (8 * i);
  return value;
}

// By its length, as binary files may begin with "solid" as well.
bool is_binary_stl(std::string_view bytes) {
  return bytes.size() >= kStlHeader + 4 &&
         bytes.size() == kStlHeader + 4 + kStlTriangle * std::size_t{word_at(bytes, kStlHeader)};
}

Mesh binary_stl(std::string_view bytes, const fs::path& path) {
  Weld weld;
  for (std::size_t at = kStlHeader + 4; at < bytes.size(); at += kStlTriangle) {
    std::array<int, 3> corners{};
    for (std::size_t k = 0; k < 3; ++k) {
      Eigen::Vector3f p;
      for (int i = 0; i < 3; ++i) {
        // a normal stands in front
        const std::size_t offset = at + 12 + 12 * k + 4 * static_cast<std::size_t>(i);
        p[i] = std::bit_cast<float>(word_at(bytes, offset));
      }
      if (!p.allFinite()) {
        refuse(ErrorCode::kValue, of_file(path),
               fmt::format("triangle {} has a corner that is not finite; export the mesh anew",
                           (at - kStlHeader - 4) / kStlTriangle + 1));
      }
      corners[k] = weld.vertex(p);
    }
    weld.triangle(corners[0], corners[1], corners[2]);
  }
  return std::move(weld.mesh);
}

Mesh text_stl(std::string_view text, const fs::path& path) {
  Weld weld;
  Lines lines(text, path);
  std::vector<int> corners;
  bool ended = false;
  while (lines.next()) {
    if (lines.word(0) == "vertex") corners.push_back(weld.vertex(lines.point(1)));
    if (lines.word(0) == "endsolid") ended = true;
    if (lines.word(0) != "endloop") continue;
    if (corners.size() != 3) lines.refuse_line("a facet of STL has three vertices");
    weld.triangle(corners[0], corners[1], corners[2]);
    corners.clear();
  }
  if (!ended || !corners.empty())
    refuse(ErrorCode::kSyntax, of_file(path),
           "is neither whole binary nor whole text STL: it looks cut off; get the whole file");
  return std::move(weld.mesh);
}

// The faces are taken as fans of triangles. Normals, textures, groups and materials are not read.
Mesh obj(std::string_view text, const fs::path& path) {
  Weld weld;
  Lines lines(text, path);
  std::vector<int> vertices;  // of the file -> of the mesh
  const auto corner = [&](std::string_view word) {
    int index = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), index);
    const int count = static_cast<int>(vertices.size());
    if (index < 0) index += count + 1;  // from the end
    if (error != std::errc() || (end != word.data() + word.size() && *end != '/') || index < 1 ||
        index > count) {
      lines.refuse_line(fmt::format("a face names vertex '{}' of {} so far; export the mesh anew",
                                    word.substr(0, 40), count));
    }
    return vertices[static_cast<std::size_t>(index - 1)];
  };
  while (lines.next()) {
    if (lines.word(0) == "v") vertices.push_back(weld.vertex(lines.point(1)));
    if (lines.word(0) != "f") continue;
    if (lines.count() < 4) lines.refuse_line("a face needs three vertices");
    const int first = corner(lines.word(1));
    int last = corner(lines.word(2));
    for (std::size_t i = 3; i < lines.count(); ++i) {
      const int next = corner(lines.word(i));
      weld.triangle(first, last, next);
      last = next;
    }
  }
  return std::move(weld.mesh);
}

}  // namespace

Result<Mesh> read_mesh(const fs::path& path) {
  try {
    std::string ending = path.extension().string();
    for (char& c : ending) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    if (ending != ".stl" && ending != ".obj") {
      refuse(ErrorCode::kUnsupported, of_file(path),
             fmt::format("meshes of the kind '{}' are not read; STL and OBJ are", ending));
    }
    const std::string bytes = read_file(
        path, of_file(path),
        {"mesh file", kMaxMeshFileSize, "it is no mesh of a robot; reduce it"});
    Mesh mesh = ending == ".obj"       ? obj(bytes, path)
                : is_binary_stl(bytes) ? binary_stl(bytes, path)
                                       : text_stl(bytes, path);
    if (mesh.triangles.empty())
      refuse(ErrorCode::kStructure, of_file(path), "holds no triangle; export the mesh anew");
    return mesh;
  } catch (Refusal& refusal) {
    return std::move(refusal.error);
  }
}

}  // namespace stance
