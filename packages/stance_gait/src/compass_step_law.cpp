#include "stance_gait/compass_step_law.hpp"

#include <cmath>
#include <string>

namespace stance {
namespace {

class CompassStepLaw final : public StepLaw {
 public:
  CompassStepLaw(const CompassGait& gait, JointId hip, double side)
      : law_(gait), hip_(hip), side_(side) {}

  std::unique_ptr<StepLaw> clone() const override {
    return std::make_unique<CompassStepLaw>(*this);
  }

  void touch_down(int foot) noexcept override {
    // what it would have seen of the step before: the other foot
    law_.reset();
    foot_ = foot;
    fresh_ = true;
  }

  Status drive(Simulator& simulator, DofVector& tau) noexcept override {
    const Model& model = simulator.model();
    const PoseTwist base = body_motion(model, simulator.tree(), simulator.state(), BodyId(0));
    const Ground& ground = simulator.settings().ground;
    const Vec3<double> up = ground.lateral;  // the axis of all turns
    const Vec3<double> x = base.X_WH.R * Vec3<double>{1, 0, 0};
    CompassReading reading;
    reading.pitch = std::atan2(-x.z, x.x);
    reading.pitch_rate = dot(base.X_WH.R * base.V_H.w, up);
    const Joint& hip = model.joints[hip_];
    reading.hip = side_ * simulator.state().q[static_cast<std::size_t>(hip.q_index)];
    reading.hip_rate = side_ * simulator.state().v[static_cast<std::size_t>(hip.v_index)];
    const int foot = simulator.support_foot();
    if (fresh_ && foot == foot_) {
      // a law that was reset takes its push-off from its settings; one that saw the other foot, from the energy
      CompassReading other = reading;
      other.left_support = foot != 0, other.right_support = foot == 0;
      (void)law_.update(other);
      fresh_ = false;
    }
    reading.left_support = foot == 0, reading.right_support = foot == 1;
    const CompassCommand command = law_.update(reading);
    tau[static_cast<std::size_t>(hip.v_index)] = side_ * command.hip_effort;
    return simulator.settings().push_off.towards.valid() ? simulator.set_push_off(command.push_off)
                                                         : Status::kOk;
  }

 private:
  CompassLaw law_;
  JointId hip_;
  double side_;  // -1 where its axis points to the other side
  int foot_ = 0;
  bool fresh_ = true;
};

}  // namespace

Result<std::unique_ptr<StepLaw>> make_compass_step_law(const Model& model,
                                                       const SimulatorSettings& settings,
                                                       const CompassGait& gait) {
  if (auto error = complaint(gait)) return *std::move(error);
  const auto body = [&](int foot) {
    return model.frames[settings.feet[static_cast<std::size_t>(foot)].frame].body;
  };
  if (settings.foot_count != 2 || model.body_count != 2 || body(0) != BodyId(0) ||
      body(1) != BodyId(1) || model.joints[1].kind != JointKind::kRevolute) {
    return Error{
        ErrorCode::kUnsupported, "law 'compass'",
        "is for two legs with a hinge between them, the first foot on the root link; robot '" +
            std::string(model.name.view()) + "' is built otherwise"};
  }
  const Vec3<double> axis = model.bodies[1].R_bind.c;
  const double side = dot(axis, settings.ground.lateral) < 0 ? -1 : 1;
  return std::unique_ptr<StepLaw>(std::make_unique<CompassStepLaw>(gait, JointId(1), side));
}

}  // namespace stance
