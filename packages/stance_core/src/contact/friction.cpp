#include "stance_core/contact/friction.hpp"

#include <algorithm>
#include <cmath>

namespace stance {
namespace {

constexpr int kNewtonLimit = 30;
constexpr double kNewtonTolerance = 1e-13;  // of the largest motion
constexpr double kLargestTurn = 0.7;        // rad a Newton step may turn a direction
constexpr int kReversals = 4;  // of directions along which friction would push with the slip
constexpr int kRestarts = 3;   // from Gauss-Seidel, with ten times the sweeps each time
constexpr int kFirstSweeps = 30, kLastSweeps = 10000;
constexpr double kSweepTolerance = 1e-8;  // as kLawTolerance, of forces that only sweeps have found
constexpr int kMaxVisited = 4 * kMaxContacts;  // changes of mode from one start
// A law counts as violated beyond this part of the largest force or motion in the system.
constexpr double kLawTolerance = 1e-10;

// Unknowns of the reduced system: a row's force, a sliding contact's normal force, or the direction of a slip that begins.
struct Unknown {
  int row = -1;      // of the force; -1: a direction
  int contact = -1;  // that slides
};

bool slips_freely(const ContactRows& c) noexcept {
  return c.mode == ContactMode::kSlide && !c.slides && c.tangents == 2;
}

struct Reduced {
  std::array<Unknown, kMaxRows> unknowns;
  int count = 0;
  int slide_count = 0, free_count = 0;
};

Reduced reduce(const Delassus& d, std::span<const ContactRows> contacts) noexcept {
  Reduced r;
  const int first = contacts.empty() ? d.count : contacts.front().row;
  for (int k = 0; k < first; ++k) r.unknowns[r.count++] = {k, -1};
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const ContactRows& c = contacts[i];
    if (c.mode == ContactMode::kOpen) continue;
    if (c.mode == ContactMode::kStick) {
      for (int k = c.leaves ? 1 : 0; k <= c.tangents; ++k) r.unknowns[r.count++] = {c.row + k, -1};
      continue;
    }
    if (!c.leaves) r.unknowns[r.count++] = {c.row, static_cast<int>(i)};
    ++r.slide_count;
  }
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    if (!slips_freely(contacts[i])) continue;
    r.unknowns[r.count++] = {-1, static_cast<int>(i)};
    ++r.free_count;
  }
  return r;
}

// Friction of a sliding contact as its normal force and direction give it.
void set_friction(const ContactRows& c, RowVector& lambda) noexcept {
  const double size = -c.mu_kinetic * (lambda[c.row] + c.preload);
  for (int t = 0; t < c.tangents; ++t) lambda[c.row + 1 + t] = size * c.d[t];
}

double largest(const RowVector& v, int count) noexcept {
  double size = 0;
  for (int k = 0; k < count; ++k) size = std::max(size, std::abs(v[k]));
  return size;
}

// d(motion of row r) / d(unknown)
double column_entry(const Delassus& d, std::span<const ContactRows> contacts,
                    const RowVector& lambda, const Unknown& unknown, int r) noexcept {
  if (unknown.contact < 0) return d.G[r][unknown.row];
  const ContactRows& c = contacts[static_cast<std::size_t>(unknown.contact)];
  if (unknown.row >= 0) {
    double sum = d.G[r][c.row];
    for (int t = 0; t < c.tangents; ++t) sum -= c.mu_kinetic * c.d[t] * d.G[r][c.row + 1 + t];
    return sum;
  }
  const double size = -c.mu_kinetic * (lambda[c.row] + c.preload);
  return size * (-c.d[1] * d.G[r][c.row + 1] + c.d[0] * d.G[r][c.row + 2]);
}

// Newton's method on the reduced system. Linear, and done after one step, unless a slip begins.
FrictionResult solve_reduced(const Delassus& d, std::span<ContactRows> contacts, const Reduced& r,
                             DenseStage& stage, RowVector& lambda) noexcept {
  FrictionResult result;
  auto& qr = stage.qr;
  const int forces = r.count - r.free_count;
  for (int k = 0; k < d.count; ++k) lambda[k] = 0;
  for (const ContactRows& c : contacts) {
    if (c.mode == ContactMode::kSlide) set_friction(c, lambda);
  }
  const double scale = std::max({largest(d.c, d.count), d.size, 1e-300});
  for (int iteration = 0; iteration < kNewtonLimit; ++iteration) {
    // first the forces alone, with directions as they are: without forces a direction has no say
    const int count = iteration == 0 ? forces : r.count;
    // (4) has a second root, -d: from there Newton's method is begun anew along the slip itself. A contact that can only stick
    // has no better direction, hence the limit.
    if (iteration > 0 && iteration <= kReversals) {
      for (ContactRows& c : contacts) {
        if (!slips_freely(c)) continue;
        const double u1 = motion_of(d, lambda, c.row + 1), u2 = motion_of(d, lambda, c.row + 2);
        const double slip = std::hypot(u1, u2);
        if (c.d[0] * u1 + c.d[1] * u2 < 0 && slip > kNewtonTolerance * scale)
          c.d = {u1 / slip, u2 / slip};
      }
      for (const ContactRows& c : contacts) {
        if (c.mode == ContactMode::kSlide) set_friction(c, lambda);
      }
    }
    if (count == 0) continue;  // sliding contacts that leave: friction is all they have
    double worst = 0;
    for (int i = 0; i < count; ++i) {
      const Unknown& equation = r.unknowns[i];
      if (equation.row >= 0) {
        stage.y[i] = -motion_of(d, lambda, equation.row);
        for (int k = 0; k < count; ++k)
          qr.A[i][k] = column_entry(d, contacts, lambda, r.unknowns[k], equation.row);
      } else {  // d⊥·u_t = 0
        const ContactRows& c = contacts[static_cast<std::size_t>(equation.contact)];
        const double u1 = motion_of(d, lambda, c.row + 1), u2 = motion_of(d, lambda, c.row + 2);
        stage.y[i] = -(-c.d[1] * u1 + c.d[0] * u2);
        for (int k = 0; k < count; ++k) {
          qr.A[i][k] = -c.d[1] * column_entry(d, contacts, lambda, r.unknowns[k], c.row + 1) +
                       c.d[0] * column_entry(d, contacts, lambda, r.unknowns[k], c.row + 2);
          if (k == i) qr.A[i][k] -= c.d[0] * u1 + c.d[1] * u2;
        }
      }
      worst = std::max(worst, std::abs(stage.y[i]));
    }
    if (iteration > 0 && worst <= kNewtonTolerance * scale) break;
    qr.factorize(count, count, kRowTolerance * 1e-2);
    result.rank = qr.rank;
    qr.apply_Qt(stage.y);
    double missed = 0;
    for (int i = qr.rank; i < count; ++i) missed = std::max(missed, std::abs(stage.y[i]));
    result.answer = qr.rank == count                 ? ContactAnswer::kUnique
                    : missed > kRowTolerance * scale ? ContactAnswer::kInconsistent
                                                     : ContactAnswer::kRedundant;
    qr.complete();
    qr.least_norm(stage.y, stage.y);
    double turn = 0;
    for (int k = forces; k < count; ++k) turn = std::max(turn, std::abs(stage.y[k]));
    const double step = turn > kLargestTurn ? kLargestTurn / turn : 1;
    for (int k = 0; k < forces; ++k) lambda[r.unknowns[k].row] += step * stage.y[k];
    for (int k = forces; k < count; ++k) {
      ContactRows& c = contacts[static_cast<std::size_t>(r.unknowns[k].contact)];
      const double angle = std::atan2(c.d[1], c.d[0]) + step * stage.y[k];
      c.d = {std::cos(angle), std::sin(angle)};
    }
    for (const ContactRows& c : contacts) {
      if (c.mode == ContactMode::kSlide) set_friction(c, lambda);
    }
    if (r.free_count == 0 && iteration > 0) break;  // once more for the digits
  }
  return result;
}

struct Violation {
  double size = 0;  // relative to the largest force or motion
  std::size_t contact = 0;
  ContactMode mode{};
  bool turns = false;  // a slip that begins takes the direction of the friction that was too large
  bool leaves = false;
};

double hypotenuse(const ContactRows& c, const RowVector& v) noexcept {
  return c.tangents == 0   ? 0
         : c.tangents == 1 ? std::abs(v[c.row + 1])
                           : std::hypot(v[c.row + 1], v[c.row + 2]);
}

// The contact that violates the law most, and the residuals.
Violation inspect(const Delassus& d, std::span<const ContactRows> contacts, const RowVector& lambda,
                  const RowVector& u, LawResidual& residual) noexcept {
  Violation worst;
  residual = {};
  double force = std::max(largest(lambda, d.count), 1e-300);
  for (const ContactRows& c : contacts) force = std::max(force, c.preload);
  const double motion = std::max({largest(d.c, d.count), largest(u, d.count), d.size, 1e-300});
  const auto note = [&](double size, std::size_t contact, ContactMode mode, bool turns,
                        bool leaves) {
    if (size > worst.size) worst = {size, contact, mode, turns, leaves};
  };
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const ContactRows& c = contacts[i];
    const ContactMode closed = c.slides ? ContactMode::kSlide : ContactMode::kStick;
    const double f_n = lambda[c.row];
    if (c.mode == ContactMode::kOpen) {
      const double below = -u[c.row] / motion;
      note(below, i, closed, false, false);
      residual.signorini = std::max(residual.signorini, below);
      continue;
    }
    if (c.leaves) {
      const double below = -u[c.row] / motion;
      note(below, i, c.mode, false, false);
      residual.signorini = std::max(residual.signorini, below);
    } else {
      // what has a preload keeps its friction
      note(-f_n / force, i, c.preload > 0 ? c.mode : ContactMode::kOpen, false, c.preload > 0);
      residual.signorini = std::max(
          {residual.signorini, -f_n / force, std::abs(u[c.row]) / motion});
    }
    if (c.mode == ContactMode::kStick) {
      // not a product where mu is infinite
      residual.dissipation = std::max(residual.dissipation, hypotenuse(c, u) / motion);
      if (!std::isfinite(c.mu_static)) continue;
      const double f_t = hypotenuse(c, lambda), room = f_n + c.preload;
      const double beyond = (f_t - c.mu_static * std::max(room, 0.0)) / force;
      if (c.tangents > 0) note(beyond, i, ContactMode::kSlide, true, c.leaves);
      residual.cone = std::max(residual.cone, beyond);
    } else if (!c.slides && c.tangents > 0) {
      double along = 0, across = 0;
      if (c.tangents == 1) {
        along = c.d[0] * u[c.row + 1];
      } else {
        along = c.d[0] * u[c.row + 1] + c.d[1] * u[c.row + 2];
        across = -c.d[1] * u[c.row + 1] + c.d[0] * u[c.row + 2];
      }
      note(-along / motion, i, ContactMode::kStick, false, c.leaves);
      residual.dissipation = std::max(
          {residual.dissipation, -along / motion, std::abs(across) / motion});
    }
  }
  return worst;
}

// Direction d in which a contact slips against a friction of size s, with [g11 g12; g12 g22] its tangents' block of G and pull
// their motion without friction: u = pull - s G d is to be k s d with k >= 0, so
//   (G + k 1) s d = pull,  |(G + k 1)⁻¹ pull| = s
// whose left side falls with k: Newton's method on its reciprocal comes from below, and does not miss.
std::array<double, 2> slip_direction(double g11, double g12, double g22,
                                     const std::array<double, 2>& pull, double s,
                                     const std::array<double, 2>& old) noexcept {
  const double size = std::hypot(pull[0], pull[1]);
  if (!(size > 0)) return old;
  if (g22 == 0) return {pull[0] > 0 ? 1.0 : -1.0, 0};
  std::array<double, 2> x = pull;
  double k = 0;
  for (int turn = 0; turn < 8; ++turn) {
    const double a = g11 + k, c = g22 + k, det = a * c - g12 * g12;
    x = {(c * pull[0] - g12 * pull[1]) / det, (a * pull[1] - g12 * pull[0]) / det};
    const double length = std::hypot(x[0], x[1]);
    if (length <= s || !(s > 0)) break;
    // d|x|/dk = -x·(G + k 1)⁻¹ x / |x|
    const double slope = (c * x[0] * x[0] - 2 * g12 * x[0] * x[1] + a * x[1] * x[1]) / det;
    k += (length / s - 1) * length * length / slope;
  }
  if (!(s > 0)) x = pull;
  const double length = std::hypot(x[0], x[1]);
  return {x[0] / length, x[1] / length};
}

// One contact that moves away, with the friction of its preload alone; b is its motion without its own force.
void leave_with_friction(const Delassus& d, ContactRows& c, const std::array<double, 3>& b,
                         RowVector& lambda) noexcept {
  const int n = c.row;
  c.leaves = true;
  c.mode = ContactMode::kStick;
  lambda[n] = 0;
  if (c.tangents == 0) return;
  const auto G = [&](int i, int k) { return d.G[n + i][n + k]; };
  if (c.tangents == 1) {
    lambda[n + 1] = -b[1] / G(1, 1);
  } else {
    const double det = G(1, 1) * G(2, 2) - G(1, 2) * G(1, 2);
    lambda[n + 1] = (-b[1] * G(2, 2) + b[2] * G(1, 2)) / det;
    lambda[n + 2] = (-b[2] * G(1, 1) + b[1] * G(1, 2)) / det;
  }
  const double f_t = hypotenuse(c, lambda);
  if (!std::isfinite(c.mu_static) || f_t <= c.mu_static * c.preload) return;
  c.mode = ContactMode::kSlide;
  for (int t = 0; t < c.tangents; ++t) c.d[t] = -lambda[n + 1 + t] / f_t;
  if (c.tangents == 1) c.d[1] = 0;
  set_friction(c, lambda);
}

// One contact alone: its force from what the others leave it, (1) to (3).
void solve_one(const Delassus& d, ContactRows& c, const RowVector& u, RowVector& lambda) noexcept {
  const int n = c.row;
  const double old_n = lambda[n];
  std::array<double, 3> b{};
  for (int i = 0; i <= c.tangents; ++i) {  // its motion without its own force
    b[i] = u[n + i];
    for (int k = 0; k <= c.tangents; ++k) b[i] -= d.G[n + i][n + k] * lambda[n + k];
  }
  const auto G = [&](int i, int k) { return d.G[n + i][n + k]; };
  c.leaves = false;
  const auto let_go = [&] {
    for (int i = 0; i <= c.tangents; ++i) lambda[n + i] = 0;
    c.mode = ContactMode::kOpen;
    if (c.preload > 0) leave_with_friction(d, c, b, lambda);
  };
  if (c.preload > 0 && c.tangents > 0) {
    leave_with_friction(d, c, b, lambda);
    double u_n = b[0];
    for (int t = 1; t <= c.tangents; ++t) u_n += G(0, t) * lambda[n + t];
    if (u_n >= 0) return;
    c.leaves = false;
  }
  if (c.tangents == 0) {
    lambda[n] = std::max(0.0, -b[0] / G(0, 0));
    c.mode = lambda[n] > 0 ? ContactMode::kStick : ContactMode::kOpen;
    return;
  }
  if (c.slides || c.mu_static == 0) {
    double drive = G(0, 0);
    for (int t = 0; t < c.tangents; ++t) drive -= c.mu_kinetic * c.d[t] * G(0, 1 + t);
    const double f_n = -b[0] / (drive > 0 ? drive : G(0, 0));
    if (!(f_n > 0)) return let_go();
    lambda[n] = f_n;
    c.mode = ContactMode::kSlide;
    set_friction(c, lambda);
    return;
  }
  // stick: the inverse of the 2x2 or 3x3 block
  std::array<double, 3> f{};
  if (c.tangents == 1) {
    const double det = G(0, 0) * G(1, 1) - G(0, 1) * G(0, 1);
    f[0] = (-b[0] * G(1, 1) + b[1] * G(0, 1)) / det;
    f[1] = (-b[1] * G(0, 0) + b[0] * G(0, 1)) / det;
  } else {
    const Vec3<double> g0{G(0, 0), G(1, 0), G(2, 0)}, g1{G(0, 1), G(1, 1), G(2, 1)},
        g2{G(0, 2), G(1, 2), G(2, 2)}, r{-b[0], -b[1], -b[2]};
    const double det = dot(g0, cross(g1, g2));
    f = {dot(r, cross(g1, g2)) / det, dot(g0, cross(r, g2)) / det, dot(g0, cross(g1, r)) / det};
  }
  const double f_t = c.tangents == 1 ? std::abs(f[1]) : std::hypot(f[1], f[2]);
  if (f[0] > 0 && (!std::isfinite(c.mu_static) || f_t <= c.mu_static * (f[0] + c.preload))) {
    for (int i = 0; i <= c.tangents; ++i) lambda[n + i] = f[i];
    c.mode = ContactMode::kStick;
    return;
  }
  if (b[0] >= 0 && !(f[0] > 0)) return let_go();
  if (!std::isfinite(c.mu_static)) {  // it can only stick or lift
    if (!(f[0] > 0)) return let_go();
    for (int i = 0; i <= c.tangents; ++i) lambda[n + i] = f[i];
    return;
  }
  // slip, normal and tangents in turn
  lambda[n] = old_n > 0 ? old_n : std::max(f[0], -b[0] / G(0, 0));
  c.mode = ContactMode::kSlide;
  for (int turn = 0; turn < 4; ++turn) {
    std::array<double, 2> pull{};
    for (int t = 0; t < c.tangents; ++t) pull[t] = b[1 + t] + G(1 + t, 0) * lambda[n];
    c.d = slip_direction(G(1, 1), c.tangents == 2 ? G(1, 2) : 0, c.tangents == 2 ? G(2, 2) : 0,
                         pull, c.mu_kinetic * lambda[n], c.d);
    double drive = G(0, 0);
    for (int t = 0; t < c.tangents; ++t) drive -= c.mu_kinetic * c.d[t] * G(0, 1 + t);
    const double f_n = -b[0] / (drive > 0 ? drive : G(0, 0));
    if (!(f_n > 0)) return let_go();
    lambda[n] = f_n;
    set_friction(c, lambda);
  }
}

void gauss_seidel(const Delassus& d, std::span<ContactRows> contacts, int sweeps,
                  RowVector& lambda) noexcept {
  const int first = contacts.empty() ? d.count : contacts.front().row;
  RowVector u;
  const auto update = [&](int row, double by) {
    if (by == 0) return;
    for (int k = 0; k < d.count; ++k) u[k] += d.G[k][row] * by;
  };
  for (int k = 0; k < d.count; ++k) lambda[k] = 0, u[k] = d.c[k];
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    for (int k = 0; k < first; ++k) {
      const double by = -u[k] / d.G[k][k];
      lambda[k] += by;
      update(k, by);
    }
    for (ContactRows& c : contacts) {
      std::array<double, 3> old{};
      for (int i = 0; i <= c.tangents; ++i) old[i] = lambda[c.row + i];
      solve_one(d, c, u, lambda);
      for (int i = 0; i <= c.tangents; ++i) update(c.row + i, lambda[c.row + i] - old[i]);
    }
  }
}

std::uint64_t code_of(std::span<const ContactRows> contacts) noexcept {
  std::uint64_t code = 0;
  for (const ContactRows& c : contacts)
    code = code * 4 + (c.leaves && c.mode == ContactMode::kSlide ? 3u
                       : c.leaves                                ? 0u
                                  : static_cast<std::uint64_t>(c.mode));
  return code;
}

void finish(const Delassus& d, std::span<ContactRows> contacts, const RowVector& u) noexcept {
  const double motion = std::max({largest(d.c, d.count), d.size, 1e-300});
  for (ContactRows& c : contacts) {
    c.at_rest = c.mode == ContactMode::kOpen && u[c.row] <= 1e3 * kLawTolerance * motion;
    // (7)
    if (c.mode == ContactMode::kSlide && !c.slides && hypotenuse(c, u) <= kSweepTolerance * motion)
      c.mode = ContactMode::kStick;
  }
}

}  // namespace

FrictionResult solve_given(const Tree& tree, const Workspace& w, const Delassus& d,
                           std::span<ContactRows> contacts, DenseStage& stage,
                           RowVector& lambda) noexcept {
  const Reduced r = reduce(d, contacts);
  if (r.slide_count > 0) return solve_reduced(d, contacts, r, stage, lambda);
  std::array<int, kMaxRows> active;
  for (int k = 0; k < r.count; ++k) active[k] = r.unknowns[k].row;
  FrictionResult result;
  const RowsAnswer answer = solve_rows(
      tree, w, d, {active.data(), static_cast<std::size_t>(r.count)}, stage, lambda, result.rank);
  result.answer = answer == RowsAnswer::kUnique      ? ContactAnswer::kUnique
                  : answer == RowsAnswer::kRedundant ? ContactAnswer::kRedundant
                                                     : ContactAnswer::kInconsistent;
  return result;
}

namespace {

// The search of the mode from where it stands, and from Gauss-Seidel's where that comes back to itself. `doubtful`: the contact
// whose change was the last.
FrictionResult search(const Tree& tree, const Workspace& w, const Delassus& d,
                      std::span<ContactRows> contacts, DenseStage& stage, RowVector& lambda,
                      NoMode otherwise, int& changes, std::size_t& doubtful) noexcept {
  FrictionResult result;
  int sweeps = kFirstSweeps;
  for (int start = 0; start <= kRestarts; ++start) {
    if (start > 0) {
      gauss_seidel(d, contacts, sweeps, lambda);
      sweeps *= 10;
    }
    std::array<std::uint64_t, kMaxVisited> visited;
    for (int k = 0; k < kMaxVisited; ++k) {
      result = solve_given(tree, w, d, contacts, stage, lambda);
      RowVector u;
      for (int r = 0; r < d.count; ++r) u[r] = motion_of(d, lambda, r);
      const Violation worst = inspect(d, contacts, lambda, u, result.residual);
      result.changes = changes;
      if (result.answer == ContactAnswer::kInconsistent && contacts.empty()) return result;
      if (worst.size <= kLawTolerance && result.answer != ContactAnswer::kInconsistent) {
        finish(d, contacts, u);
        return result;
      }
      visited[k] = code_of(contacts);
      doubtful = worst.contact;
      ContactRows& c = contacts[worst.contact];
      if (worst.turns) {
        const double f_t = hypotenuse(c, lambda);
        for (int t = 0; t < c.tangents; ++t) c.d[t] = -lambda[c.row + 1 + t] / f_t;
        if (c.tangents == 1) c.d[1] = 0;
      }
      c.mode = worst.mode;
      c.leaves = worst.leaves;
      ++changes;
      const std::uint64_t code = code_of(contacts);
      bool again = worst.size <=
                   kLawTolerance;  // rows that contradict each other, and no contact to change
      for (int v = 0; v <= k && !again; ++v) again = visited[v] == code;
      if (again) break;
    }
  }
  // (6): the forces of the sweeps themselves
  gauss_seidel(d, contacts, kLastSweeps, lambda);
  RowVector u;
  for (int r = 0; r < d.count; ++r) u[r] = motion_of(d, lambda, r);
  const Violation worst = inspect(d, contacts, lambda, u, result.residual);
  result.changes = changes;
  result.answer = ContactAnswer::kNone;
  // a sweep that has not converged leaves motion where its mode has none
  const LawResidual& left = result.residual;
  const double off = std::max({worst.size, left.signorini, left.cone, left.dissipation});
  if (off > kSweepTolerance && otherwise == NoMode::kRefuse) return result;
  result.answer = ContactAnswer::kRedundant;
  result.swept = true;
  finish(d, contacts, u);
  return result;
}

}  // namespace

FrictionResult find_modes(const Tree& tree, const Workspace& w, const Delassus& d,
                          std::span<ContactRows> contacts, DenseStage& stage, RowVector& lambda,
                          NoMode otherwise) noexcept {
  FrictionResult result;
  int changes = 0;
  for (std::size_t freed = 0; freed <= contacts.size(); ++freed) {
    std::size_t doubtful = 0;
    result = search(tree, w, d, contacts, stage, lambda, otherwise, changes, doubtful);
    if (result.answer != ContactAnswer::kNone || contacts.empty()) return result;
    // (5): the doubtful one if it holds without limit, else another that does
    const auto holds = [](const ContactRows& c) { return !std::isfinite(c.mu_static); };
    const auto found = holds(contacts[doubtful])
                           ? contacts.begin() + static_cast<long>(doubtful)
                           : std::find_if(contacts.begin(), contacts.end(), holds);
    if (found == contacts.end()) return result;
    found->mu_static = found->mu_kinetic = 0;
    found->mode = ContactMode::kSlide;
  }
  return result;
}

}  // namespace stance
