// A motion packed as the writer of the page packs it, for tests: a trunk of a box that hovers and turns, with a wheel hinged
// to it that goes round several times, and four feet that carry it in pairs.

// Numbers from a fixed seed (mulberry32).
export function random(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

export function pack(values, step) {
  const known = values.filter(Number.isFinite);
  const least = Math.min(...known), most = Math.max(...known);
  if (known.length === values.length && most - least <= step / 2) return (least + most) / 2;
  const k = values.map((value) => (Number.isFinite(value) ? Math.round((value - least) / step) : -1));
  let best = null;
  for (const order of [0, 1, 2]) {
    const bytes = [];
    let value = 0, difference = 0;
    for (const each of k) {
      const first = each - value;
      let coded = order === 0 ? each : order === 1 ? first : first - difference;
      coded = coded >= 0 ? 2 * coded : -2 * coded - 1;
      for (; coded >= 128; coded = Math.floor(coded / 128)) bytes.push((coded % 128) + 128);
      bytes.push(coded);
      value = each;
      difference = first;
    }
    if (best === null || bytes.length < best.bytes.length) best = { least, step, order, bytes };
  }
  return { ...best, bytes: btoa(String.fromCharCode(...best.bytes)) };
}

const kFeet = [[0.3, 0.2], [0.3, -0.2], [-0.3, 0.2], [-0.3, -0.2]];

export function sample(count = 601) {
  const time = Array.from({ length: count }, (_, i) => i * 0.01);
  const over = (f, step = 1e-5) => pack(time.map(f), step);
  const up = 0.5;
  const walk = (t) => 0.4 * t, sway = (t) => 0.03 * Math.sin(4 * t), yaw = (t) => 0.2 * Math.sin(1.5 * t);
  const pair = (t) => Math.floor(2 * t) % 2;
  const data = {
    format: 1, title: 'Sample: a trunk with a wheel', robot: 'sample', notes: ['made by a test'],
    ground: { point: [0, 0, 0], normal: [0, 0, 1] },
    meshes: [{ count: 4, vertices: [[0, 0.1, 0, 0], [0, 0, 0.1, 0], [0, 0, 0, 0.1]].map((v) => pack(v, 1e-6)), corners: 12, triangles: pack([0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2], 1) }],
    count, time: pack(time, 1e-7),
    bodies: [
      { name: 'trunk', parent: -1, rest: [0, 0, up, 0, 0, 0, 1], d: [over(walk), 0, over(sway)], r: [0, 0, over(yaw)],
        shapes: [
          { kind: 'box', pose: [0, 0, 0, 0, 0, 0, 1], size: [0.7, 0.4, 0.15], color: [0.3, 0.5, 0.7, 1] },
          { kind: 'mesh', mesh: 0, pose: [0, 0, 0.08, 0, 0, 0, 1], size: [1, 1, 1] },
          ...kFeet.map(([x, y]) => ({ kind: 'capsule', pose: [x, y, -0.22, 0, 0, 0, 1], size: [0.03, 0, 0.4] })),
        ] },
      { name: 'wheel', parent: 0, rest: [0, 0.3, 0, Math.SQRT1_2, 0, 0, Math.SQRT1_2], d: [0, 0, 0], r: [0, 0, over((t) => 5 * t)],
        shapes: [{ kind: 'cylinder', pose: [0, 0, 0, 0, 0, 0, 1], size: [0.2, 0, 0.05] }, { kind: 'sphere', pose: [0.15, 0, 0, 0, 0, 0, 1], size: [0.04, 0, 0], color: [0.9, 0.3, 0.2, 1] }] },
    ],
    contacts: kFeet.map(([x, y], k) => {
      const on = (t) => pair(t) === (k === 0 || k === 3 ? 0 : 1);
      return {
        name: `foot_${k}`, body: 0, at: [x, y, -0.45], radius: 0.03, normal: [0, 0, 1], mu: 0.6,
        state: pack(time.map((t) => (on(t) ? (k === 0 && t % 1 < 0.1 ? 2 : 1) : 0)), 1),
        force: [over((t) => (on(t) ? 20 * Math.sin(3 * t) : 0), 1e-3), 0, over((t) => (on(t) ? 50 : 0), 1e-3)],
      };
    }),
    center_of_mass: [over(walk), 0, over((t) => up + sway(t))],
    series: [
      { group: 'Joint positions', name: 'wheel', unit: 'rad', value: over((t) => 5 * t) },
      { group: 'Joint positions', name: 'pendulum', unit: 'rad', value: over((t) => Math.cos(3 * t)) },
      { group: 'Joint velocities', name: 'pendulum', unit: 'rad/s', value: over((t) => -3 * Math.sin(3 * t)) },
      { group: 'Ground reaction', name: 'fz', unit: 'N', value: over(() => 100) },
      { group: 'Energy', name: 'kinetic', unit: 'J', value: over((t) => 2 + Math.sin(t)) },
      { group: 'Energy', name: 'lost', unit: 'J', value: pack(time.map((t) => (t < 1 ? NaN : t)), 1e-4) },
    ],
    portraits: [{ name: 'pendulum', x: 1, y: 2 }],
  };
  const events = Array.from({ length: Math.floor((time[count - 1] - 1e-9) / 0.5) }, (_, k) => k + 1);
  const each = (f, step) => (events.length > 0 ? pack(events.map(f), step) : 0);
  data.events = {
    count: events.length,
    words: ['touchdown', 'foot_0', 'foot_1'],
    time: each((k) => 0.5 * k, 1e-9),
    kind: 0,
    bodies: each((k) => 1 + (k % 2), 1),
    energy_lost: 0.25,
    point: [each((k) => 0.2 * 0.5 * k, 1e-5), 0, 0],
    impulse: [0, 0, each((k) => 3 + k, 1e-3)],
  };
  return data;
}
