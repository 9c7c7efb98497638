import assert from 'node:assert/strict';
import test from 'node:test';
import { decode } from '../src/decode.js';
import { rangeOf, shortNumber, ticks, tickText, valueAt } from '../src/plot.js';
import { closedSpans } from '../src/slider.js';
import { table } from '../src/table.js';
import { sample } from './sample.js';

test('ticks are round and inside', () => {
  assert.deepEqual(ticks(0, 6, 4), [0, 2, 4, 6]);
  assert.deepEqual(ticks(-0.11, 0.11, 4).map((x) => Number(x.toFixed(3))), [-0.1, 0, 0.1]);
  assert.deepEqual(ticks(1, 1, 4), []);
  for (const [least, most] of [[-3e-7, 8e-7], [12345, 12399], [-1, 1e6]]) {
    const values = ticks(least, most, 5);
    assert.ok(values.length >= 2 && values.length <= 8, `${values}`);
    assert.ok(values.every((x) => x >= least - 1e-9 * (most - least) && x <= most + 1e-9 * (most - least)));
    assert.equal(new Set(values.map((x) => tickText(x, values[1] - values[0]))).size, values.length, 'two ticks read alike');
  }
});

test('numbers are short', () => {
  const told = [0, 1.23456, -12.3456, 123.456, 1234.6, 1e6, -2e-5, NaN].map(shortNumber);
  assert.deepEqual(told, ['0.000', '1.235', '\u221212.35', '123.5', '1235', '1.00e6', '\u22122.00e-5', '\u2013']);
});

test('a value is between its neighbours, and none where one is none', () => {
  const time = [0, 1, 2, 3], value = Float64Array.of(0, 10, NaN, 5);
  assert.equal(valueAt(value, time, 0.25), 2.5);
  assert.equal(valueAt(value, time, 1.2), 10);
  assert.ok(Number.isNaN(valueAt(value, time, 1.8)));
  assert.equal(valueAt(7, time, 1.5), 7);
  const [least, most] = rangeOf([value, 7], 0, 3);
  assert.ok(least < 0 && least > -1 && most > 10 && most < 11);
  assert.deepEqual(rangeOf([null], 0, 3), [-1, 1]);
  assert.deepEqual(rangeOf([Float64Array.of(0, 1e-13)], 0, 1).map((x) => x.toFixed(6)), ['-0.001000', '0.001000'], 'rounding is no motion');
});

test('contacts fill the bar while they are closed', () => {
  const motion = decode(sample(201));
  const spans = closedSpans(motion, motion.contacts[0]).map(([from, to, slides]) => [from.toFixed(2), to.toFixed(2), slides]);
  assert.deepEqual(spans.slice(0, 3), [['0.00', '0.10', true], ['0.10', '0.50', false], ['1.00', '1.10', true]]);
});

test('the table has the digits of the page, and quotes', () => {
  const motion = decode(sample(101));
  motion.series[1].name = 'pendulum, "the"';
  const lines = table(motion).trim().split('\n');
  assert.equal(lines.length, 102);
  assert.ok(lines[0].startsWith('time [s],Joint positions: wheel [rad],"Joint positions: pendulum, ""the"" [rad]",'), lines[0]);
  const row = lines[51].split(',');
  assert.ok(Math.abs(Number(row[0]) - 0.5) < 1e-7);
  assert.ok(Math.abs(Number(row[1]) - 2.5) < 1e-4);
  assert.equal(row[6], '', 'what is no number is empty');
});
