// Shapes of links, number by number; meshes of known volume in every format; and what is refused.
#include "stance_model/geometry.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <random>

#include "sample_robot.hpp"
#include "stance_model/load_robot.hpp"

namespace stance {
namespace {

namespace fs = std::filesystem;

const std::string kShapes = R"(<robot name="r">
  <material name="sky"><color rgba="0.1 0.2 0.9 1"/></material>
  <link name="trunk">
    <visual name="hull">
      <origin xyz="1 2 3" rpy="0.1 0.2 0.3"/>
      <geometry><box size="0.5 0.25 0.125"/></geometry>
      <material name="sky"/>
    </visual>
    <collision><geometry><sphere radius="0.75"/></geometry></collision>
  </link>
  <link name="leg">
    <visual><geometry><mesh filename="package://p/leg.stl" scale="0.001 0.001 -0.001"/></geometry>
      <material name="own"><color rgba="1 0 0 0.5"/></material></visual>
    <collision><geometry><cylinder radius="0.1" length="2"/></geometry></collision>
    <collision><geometry><capsule radius="0.2" length="3"/></geometry></collision>
  </link>
</robot>)";

TEST(Geometry, ReadsEveryShape) {
  std::vector<Remark> remarks;
  const auto read = parse_geometry(kShapes, &remarks);
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_TRUE(remarks.empty()) << remarks.front().text;
  ASSERT_EQ(read->size(), 5U);
  const LinkShape& hull = (*read)[0];
  EXPECT_EQ(hull.use, LinkShape::Use::kVisual);
  EXPECT_EQ(hull.link, "trunk");
  EXPECT_EQ(hull.name, "hull");
  EXPECT_EQ(hull.kind, ShapeKind::kBox);
  EXPECT_EQ(hull.size, Eigen::Vector3d(0.5, 0.25, 0.125));
  EXPECT_EQ(hull.origin.translation(), Eigen::Vector3d(1, 2, 3));
  const Eigen::Matrix3d R = (Eigen::AngleAxisd(0.3, Eigen::Vector3d::UnitZ()) *
                             Eigen::AngleAxisd(0.2, Eigen::Vector3d::UnitY()) *
                             Eigen::AngleAxisd(0.1, Eigen::Vector3d::UnitX()))
                                .toRotationMatrix();
  EXPECT_LT((hull.origin.linear() - R).cwiseAbs().maxCoeff(), 4e-16);  // rounding
  EXPECT_EQ(hull.color, (std::array<double, 4>{0.1, 0.2, 0.9, 1}));
  EXPECT_EQ(hull.line, 4);
  EXPECT_EQ((*read)[1].use, LinkShape::Use::kCollision);
  EXPECT_EQ((*read)[1].kind, ShapeKind::kSphere);
  EXPECT_EQ((*read)[1].radius, 0.75);
  EXPECT_FALSE((*read)[1].color);
  EXPECT_EQ((*read)[2].mesh, "package://p/leg.stl");
  EXPECT_EQ((*read)[2].scale, Eigen::Vector3d(0.001, 0.001, -0.001));
  EXPECT_EQ((*read)[2].color, (std::array<double, 4>{1, 0, 0, 0.5}));
  EXPECT_EQ((*read)[3].kind, ShapeKind::kCylinder);
  EXPECT_EQ((*read)[3].radius, 0.1);
  EXPECT_EQ((*read)[3].length, 2);
  EXPECT_EQ((*read)[4].kind, ShapeKind::kCapsule);
  EXPECT_EQ((*read)[4].link, "leg");
}

TEST(Geometry, RefusesWhatIsNoShape) {
  struct Case {
    const char *from, *to, *told;
    ErrorCode code;
  };
  const Case cases[] = {
      {"size=\"0.5 0.25 0.125\"", "size=\"0.5 0.25\"", "<box> in line 6: size has",
       ErrorCode::kValue},
      {"size=\"0.5 0.25 0.125\"", "size=\"0.5 0.25 0\"", "three positive lengths",
       ErrorCode::kValue},
      {"<sphere radius=\"0.75\"/>", "<sphere radius=\"-1\"/>", "needs a positive one",
       ErrorCode::kValue},
      {"<sphere radius=\"0.75\"/>", "<sphere/>", "'radius' is missing", ErrorCode::kStructure},
      {"<sphere radius=\"0.75\"/>", "", "there is no shape in it", ErrorCode::kStructure},
      {"<sphere radius=\"0.75\"/>", "<torus/>", "no shape we know", ErrorCode::kUnsupported},
      {"<sphere radius=\"0.75\"/>", "<sphere radius=\"1\"/><sphere radius=\"1\"/>",
       "second shape of one <geometry>", ErrorCode::kStructure},
      {"<geometry><sphere radius=\"0.75\"/></geometry>", "", "there is no <geometry> in it",
       ErrorCode::kStructure},
      {"filename=\"package://p/leg.stl\"", "", "'filename' is missing", ErrorCode::kStructure},
      {"-0.001\"", "0\"", "scale has a zero", ErrorCode::kValue},
      {"1 0 0 0.5", "1 0 0", "four numbers from 0 to 1", ErrorCode::kValue},
      {"1 0 0 0.5", "1 0 0 2", "four numbers from 0 to 1", ErrorCode::kValue},
      {"</robot>", "", "line ", ErrorCode::kSyntax},
  };
  for (const Case& each : cases) {
    std::string text = kShapes;
    const auto at = text.find(each.from);
    ASSERT_NE(at, std::string::npos) << each.from;
    text.replace(at, std::strlen(each.from), each.to);
    const auto read = parse_geometry(text);
    ASSERT_FALSE(read) << each.from << " -> " << each.to;
    EXPECT_EQ(read.error().code, each.code) << read.error().text();
    EXPECT_NE(read.error().text().find(each.told), std::string::npos) << read.error().text();
  }
}

TEST(Geometry, RemarksOnWhatItDoesNotKnow) {
  std::string text = kShapes;
  text.replace(text.find("<sphere radius=\"0.75\"/>"), 23, "<sphere radius=\"0.75\" shine=\"1\"/>");
  std::vector<Remark> remarks;
  ASSERT_TRUE(parse_geometry(text, &remarks));
  ASSERT_EQ(remarks.size(), 1U);
  EXPECT_EQ(remarks[0].text, "unknown attribute 'shine' of <sphere> in line 9");
}

// What load_robot accepts has shapes that we can read.
TEST(Geometry, OfOurRobotsIsRead) {
  int files = 0;
  for (const auto& entry : fs::directory_iterator(STANCE_URDF_FOLDER)) {
    if (entry.path().extension() != ".urdf") continue;
    ++files;
    const auto text = read_robot_file(entry.path());
    ASSERT_TRUE(text);
    const auto shapes = parse_geometry(*text);
    ASSERT_TRUE(shapes) << entry.path() << ": " << shapes.error().text();
    EXPECT_FALSE(shapes->empty()) << entry.path();
  }
  EXPECT_GE(files, 9);
}

// ---- meshes

class MeshFile : public testing::Test {
 protected:
  void SetUp() override {
    dir_ = fs::temp_directory_path() / ("stance_mesh_" + std::to_string(getpid()));
    fs::create_directories(dir_);
  }
  void TearDown() override { fs::remove_all(dir_); }
  fs::path write(const std::string& name, const std::string& bytes) {
    fs::create_directories((dir_ / name).parent_path());
    std::ofstream(dir_ / name, std::ios::binary) << bytes;
    return dir_ / name;
  }
  fs::path dir_;
};

using Corner = Eigen::Vector3f;
// The corners of a tetrahedron, outwards; its volume is a sixth of the determinant.
const std::array<Corner, 4> kCorners = {Corner(0.25F, -1, 0.5F), Corner(2, 0.125F, 0),
                                        Corner(-0.5F, 1.5F, 0.25F), Corner(0.75F, 0.25F, 3)};
constexpr int kFaces[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};

std::string text_stl() {
  std::string text = "solid tetra hedron\n";
  for (const auto& face : kFaces) {
    text += " facet normal 0 0 0\n  outer loop\n";
    for (const int i : face) {
      const Corner& p = kCorners[static_cast<std::size_t>(i)];
      text += "   vertex " + std::to_string(p.x()) + " " + std::to_string(p.y()) + " +" +
              std::to_string(p.z()) + "\r\n";
    }
    text += "  endloop\n endfacet\n";
  }
  return text + "endsolid\n";
}

std::string binary_stl() {
  std::string bytes = "solid, but binary";
  bytes.resize(80);
  const auto put = [&](const void* value, std::size_t size) {
    bytes.append(static_cast<const char*>(value), size);
  };
  const std::uint32_t count = 4;
  put(&count, 4);
  for (const auto& face : kFaces) {
    const float normal[3] = {};
    put(normal, 12);
    for (const int i : face) put(kCorners[static_cast<std::size_t>(i)].data(), 12);
    const std::uint16_t attribute = 7;
    put(&attribute, 2);
  }
  return bytes;
}

std::string obj() {
  std::string text = "# tetrahedron\nmtllib none.mtl\n";
  for (const Corner& p : kCorners)
    text += "v " + std::to_string(p.x()) + " " + std::to_string(p.y()) + " " +
            std::to_string(p.z()) + "\n";
  text += "vn 0 0 1\nvt 0 0\nf 1/1/1 3//1 2/1\nf 1 2 4\nf -3 -2 -1\nf 1 4 3\n";
  return text;
}

// The volume by the divergence theorem: right only if every face is there and looks outwards.
double volume(const Mesh& mesh) {
  double sum = 0;
  for (const auto& [a, b, c] : mesh.triangles) {
    const auto p = [&](int i) { return mesh.vertices[static_cast<std::size_t>(i)].cast<double>(); };
    sum += p(a).dot(p(b).cross(p(c))) / 6;
  }
  return sum;
}

TEST_F(MeshFile, HasTheVolumeOfItsTetrahedronInEveryFormat) {
  const auto edge = [](int i) {
    return (kCorners[static_cast<std::size_t>(i)] - kCorners[0]).cast<double>();
  };
  const double expected = edge(1).dot(edge(2).cross(edge(3))) / 6;
  ASSERT_GT(expected, 0.5);
  for (const auto& path :
       {write("a.stl", text_stl()), write("b.STL", binary_stl()), write("c.obj", obj())}) {
    const auto mesh = read_mesh(path);
    ASSERT_TRUE(mesh) << mesh.error().text();
    EXPECT_EQ(mesh->vertices.size(), 4U) << path;
    EXPECT_EQ(mesh->triangles.size(), 4U) << path;
    EXPECT_NEAR(volume(*mesh), expected, 1e-14) << path;  // coordinates are exact in a float
  }
}

TEST_F(MeshFile, CutsPolygonsIntoTriangles) {
  const auto mesh = read_mesh(
      write("square.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 0\nf 1 2 3 4\nf 1 5 2\n"));
  ASSERT_TRUE(mesh) << mesh.error().text();
  EXPECT_EQ(mesh->vertices.size(), 4U);   // the fifth is the first
  EXPECT_EQ(mesh->triangles.size(), 2U);  // and a triangle of two corners is none
}

TEST_F(MeshFile, IsRefusedWhereItIsBroken) {
  const std::string binary = binary_stl();
  std::string infinite = binary;
  infinite.replace(84 + 12, 4, "\x00\x00\x80\x7f", 4);
  struct Case {
    const char* name;
    std::string bytes;
    const char* told;
  };
  const Case cases[] = {
      {"cut.stl", binary.substr(0, 150), "looks cut off"},
      {"cut_text.stl", text_stl().substr(0, 200), "looks cut off"},
      {"empty.stl", "", "looks cut off"},
      {"none.stl", "solid\nendsolid\n", "holds no triangle"},
      {"infinite.stl", infinite, "triangle 1 has a corner that is not finite"},
      {"word.stl", "solid\nvertex 1 2 x\n", "line 2: a vertex needs three"},
      {"two.stl", "solid\nvertex 1 2 3\nendloop\n", "line 3: a facet of STL has three"},
      {"beyond.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 4\n",
       "line 4: a face names vertex '4' of 3"},
      {"before.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 -4\n", "line 4: a face names vertex '-4'"},
      {"short.obj", "v 0 0\n", "line 1: a vertex needs three"},
      {"lines.obj", "v 0 0 0\nf 1 1\n", "line 2: a face needs three"},
      {"scene.dae", "<COLLADA/>", "'.dae' are not read"},
  };
  for (const Case& each : cases) {
    const auto mesh = read_mesh(write(each.name, each.bytes));
    ASSERT_FALSE(mesh) << each.name;
    EXPECT_NE(mesh.error().text().find(each.told), std::string::npos) << mesh.error().text();
    EXPECT_NE(mesh.error().text().find(each.name), std::string::npos) << mesh.error().text();
  }
  EXPECT_FALSE(read_mesh(dir_ / "absent.stl"));
}

// Whatever bytes there are: a mesh or a message.
TEST_F(MeshFile, SurvivesBrokenBytes) {
  std::mt19937 random(14);
  const std::string whole[] = {text_stl(), binary_stl(), obj()};
  const char* names[] = {"f.stl", "f.stl", "f.obj"};
  for (int round = 0; round < 600; ++round) {
    const std::size_t which = static_cast<std::size_t>(round % 3);
    std::string bytes = whole[which];
    for (int edits = 1 + round % 5; edits > 0; --edits)
      bytes[random() % bytes.size()] = static_cast<char>(random() % 256);
    if (round % 7 == 0) bytes.resize(random() % bytes.size());
    const auto mesh = read_mesh(write(names[which], bytes));
    if (!mesh) continue;
    for (const auto& triangle : mesh->triangles) {
      for (const int i : triangle) {
        ASSERT_GE(i, 0);
        ASSERT_LT(i, static_cast<int>(mesh->vertices.size()));
      }
    }
  }
}

TEST_F(MeshFile, IsFoundWhereRobotFilesPutIt) {
  const fs::path robot = write("arm/urdf/arm.urdf", "");
  const fs::path mesh = write("arm/meshes/link.stl", text_stl());
  const auto same = [](const std::optional<fs::path>& found, const fs::path& expected) {
    return found && fs::equivalent(*found, expected);
  };
  EXPECT_TRUE(same(find_mesh("../meshes/link.stl", robot), mesh));
  EXPECT_TRUE(same(find_mesh(mesh.string(), robot), mesh));
  EXPECT_TRUE(same(find_mesh("file://" + mesh.string(), robot), mesh));
  EXPECT_TRUE(
      same(find_mesh("package://arm/meshes/link.stl", robot), mesh));  // it is in its package
  const fs::path elsewhere = write("elsewhere.urdf", "");
  EXPECT_TRUE(
      same(find_mesh("package://arm/meshes/link.stl", elsewhere), mesh));  // beside the package
  EXPECT_FALSE(find_mesh("package://leg/meshes/link.stl", robot));
  EXPECT_FALSE(find_mesh("package://", robot));
  EXPECT_FALSE(find_mesh("link.stl", robot));

  const fs::path installed = write("prefix/share/leg/meshes/link.stl", text_stl());
  ASSERT_EQ(setenv("AMENT_PREFIX_PATH", ("/nowhere:" + (dir_ / "prefix").string()).c_str(), 1), 0);
  EXPECT_TRUE(same(find_mesh("package://leg/meshes/link.stl", robot), installed));
  ASSERT_EQ(unsetenv("AMENT_PREFIX_PATH"), 0);
  ASSERT_EQ(setenv("ROS_PACKAGE_PATH", (dir_ / "prefix/share").c_str(), 1), 0);
  EXPECT_TRUE(same(find_mesh("package://leg/meshes/link.stl", robot), installed));
  ASSERT_EQ(setenv("ROS_PACKAGE_PATH", (dir_ / "prefix/share/leg").c_str(), 1), 0);
  EXPECT_TRUE(same(find_mesh("package://leg/meshes/link.stl", robot), installed));
  ASSERT_EQ(unsetenv("ROS_PACKAGE_PATH"), 0);
}

}  // namespace
}  // namespace stance
