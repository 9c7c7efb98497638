import assert from 'node:assert/strict';
import test from 'node:test';
import { decode } from '../src/decode.js';
import { add, cross, dot, exponential, extent, multiply, norm, posesAt, rotate, scale, slerp, subtract } from '../src/pose.js';
import { random, sample } from './sample.js';

const near = (a, b, far = 1e-12) => assert.ok(Math.hypot(...a.map((x, i) => x - b[i])) < far, `${a} is not ${b}`);

test('exp turns as the matrix of Rodrigues does, and products compose', () => {
  const next = random(2);
  for (let k = 0; k < 100; ++k) {
    const r = [next() * 6 - 3, next() * 6 - 3, next() * 6 - 3], v = [next(), next(), next()];
    const angle = norm(r), axis = scale(r, 1 / angle);
    const expected = add(
      add(scale(v, Math.cos(angle)), scale(cross(axis, v), Math.sin(angle))),
      scale(axis, dot(axis, v) * (1 - Math.cos(angle))),
    );
    near(rotate(exponential(r), v), expected);
    const other = exponential([next(), next(), next()]);
    near(rotate(multiply(other, exponential(r)), v), rotate(other, expected));
  }
  near(exponential([1e-9, 0, 0]), [5e-10, 0, 0, 1]);
});

test('slerp goes the shorter way at even rate', () => {
  const axis = [0, 0.6, 0.8];
  const a = exponential(scale(axis, 0.3)), b = exponential(scale(axis, 1.5));
  for (const sign of [1, -1]) near(slerp(a, b.map((x) => sign * x), 0.25), exponential(scale(axis, 0.6)));
  near(slerp(a, a, 0.5), a);
});

test('poses follow their parents, and lie between the instants', () => {
  const motion = decode(sample(301));
  for (const [i, s] of [[0, 0], [37, 0], [120, 0.5], [299, 0.75]]) {
    const t = 0.01 * (i + s);
    const [trunk, wheel] = posesAt(motion, i, s);
    // packing leaves half of 1e-5 each; between samples a sine of 4/s is a line to (4 * 0.01)^2 / 8
    near(trunk.p, [0.4 * t, 0, 0.5 + 0.03 * Math.sin(4 * t)], 2e-5 + (s > 0 ? 1e-5 : 0));
    const yaw = exponential([0, 0, 0.2 * Math.sin(1.5 * t)]);
    near(wheel.p, add(trunk.p, rotate(yaw, [0, 0.3, 0])), 2e-5);
    const spoke = rotate(multiply(yaw, multiply([Math.SQRT1_2, 0, 0, Math.SQRT1_2], exponential([0, 0, 5 * t]))), [1, 0, 0]);
    near(rotate(wheel.q, [1, 0, 0]), spoke, 5e-5);
  }
});

test('the size is that of the bodies', () => {
  const motion = decode(sample(11));
  const size = extent(motion, posesAt(motion, 0, 0));
  assert.ok(size > 0.5 && size < 1, `${size}`);
  assert.ok(norm(subtract([1, 2, 3], [1, 2, 3])) === 0);
});
