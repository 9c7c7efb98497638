// What a library that we are measured against must do. Plain numbers only, so that the heavy headers of each
// library stay in one file.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace stance::bench {

// A robot with a free base, as numbers: bodies with everything lumped into them, parents before children. The frame of
// body 0 is the root link's; that of another body sits on its joint, which turns about or slides along its z.
struct PeerBody {
  std::string name;
  int parent = -1;
  bool prismatic = false;
  std::array<double, 9> R{};  // the joint's frame at zero in the parent's, row by row
  std::array<double, 3> p{};
  double mass = 0;
  std::array<double, 3> center{};   // of mass
  std::array<double, 9> inertia{};  // about the centre of mass, in the body's axes
};

struct PeerRobot {
  std::vector<PeerBody> bodies;
  std::array<double, 3> gravity{};
};

// Base first, then one number per joint, all in the root link's own axes:
// q: position, quaternion x y z w; v, a: angular, linear; tau: moment, force. `a` is the derivative of v's components.
struct PeerSample {
  std::vector<double> q, v, tau, a;
};

enum class Algorithm { kAba, kRnea, kCrbaSolve };

class Peer {
 public:
  virtual ~Peer() = default;
  // Why the library has no such algorithm to time; nullptr where it has.
  virtual const char* lacks(Algorithm algorithm) const = 0;
  // Not timed: the samples in the library's own conventions.
  virtual void prepare(const std::vector<PeerSample>& samples) = 0;
  // Timed: sample k in, the answer left in the library's own place.
  virtual void run(Algorithm algorithm, std::size_t k) = 0;
  // Not timed: the answer to the run that came last, laid out as PeerSample::a (or tau, of kRnea).
  virtual std::vector<double> answer(Algorithm algorithm, std::size_t k) = 0;
};

// A library's step of the flying robot, no contacts, with its first-order method or its fourth-order one.
class PeerStep {
 public:
  virtual ~PeerStep() = default;
  virtual void prepare(const std::vector<PeerSample>& samples) = 0;  // not timed
  virtual void run(std::size_t k) = 0;                               // timed: sample k in, one step
  virtual std::vector<double> position() = 0;  // after the run that came last, as PeerSample::q
};

// None where the library does not take the robot; a line says why.
std::unique_ptr<Peer> make_dart_peer(const PeerRobot& robot);
std::unique_ptr<Peer> make_bullet_peer(const PeerRobot& robot);
std::unique_ptr<Peer> make_pinocchio_peer(const PeerRobot& robot);
std::unique_ptr<Peer> make_rbdl_peer(const PeerRobot& robot);
std::unique_ptr<Peer> make_mujoco_peer(const PeerRobot& robot);
std::unique_ptr<PeerStep> make_mujoco_step(const PeerRobot& robot, double step, bool fourth_order);

}  // namespace stance::bench
