// Numbers with a unit, such as "3 deg" or "9.81 m/s^2". A bare number is in SI units.
#pragma once

#include <string>
#include <string_view>

namespace stance {

// Exponents of the base units. An angle counts as one, so that 3 rad cannot be taken for a plain number.
struct Dimension {
  int length = 0, mass = 0, time = 0, angle = 0;
  friend constexpr bool operator==(const Dimension&, const Dimension&) = default;
};

inline constexpr Dimension kPureNumber{};
inline constexpr Dimension kLength{1, 0, 0, 0};
inline constexpr Dimension kTime{0, 0, 1, 0};
inline constexpr Dimension kFrequency{0, 0, -1, 0};
inline constexpr Dimension kAngle{0, 0, 0, 1};
inline constexpr Dimension kAngularRate{0, 0, -1, 1};
inline constexpr Dimension kSpeed{1, 0, -1, 0};
inline constexpr Dimension kAcceleration{1, 0, -2, 0};
inline constexpr Dimension kImpulse{1, 1, -1, 0};
inline constexpr Dimension kForce{1, 1, -2, 0};
inline constexpr Dimension kTorque{2, 1, -2, 0};
inline constexpr Dimension kMass{0, 1, 0, 0};
inline constexpr Dimension kMomentOfInertia{2, 1, 0, 0};

// "an angle", "a length", ...; what has no name is told by its units, such as "something in m^2/s".
std::string describe(const Dimension& dimension);

// A unit that fits, for messages: "rad".
std::string example_unit(const Dimension& dimension);

// The number in SI units. Throws QuantityError if the text is no number, is not finite, has an unknown unit, or has a
// unit of another dimension.
double parse_quantity(std::string_view text, const Dimension& dimension);

struct QuantityError {
  std::string sentence;  // such as "takes an angle, and '3 m' is a length"
};

}  // namespace stance
