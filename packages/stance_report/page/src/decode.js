// The motion as the writer packed it (src/channel.hpp, src/replay_page.cpp) -> numbers over time.

// A channel is a number where nothing changes, null where there is none, else an array with an entry for each instant.
export function at(channel, index) {
  if (channel === null) return NaN;
  return typeof channel === 'number' ? channel : channel[index];
}

function bytesOf(base64) {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) bytes[i] = text.charCodeAt(i);
  return bytes;
}

// Numbers may have 40 bits: products and not shifts, which have 32.
export function unpack(packed, count) {
  if (packed === null || typeof packed === 'number') return packed;
  const bytes = bytesOf(packed.bytes);
  const values = new Float64Array(count);
  let value = 0, difference = 0, read = 0;
  for (let i = 0; i < count; ++i) {
    let coded = 0, weight = 1, byte = 128;
    while (byte >= 128) {
      if (read >= bytes.length) throw new Error(`the data ends after ${i} of ${count} numbers`);
      byte = bytes[read++];
      coded += (byte % 128) * weight;
      weight *= 128;
    }
    const number = coded % 2 === 0 ? coded / 2 : -(coded + 1) / 2;
    if (packed.order === 2) {
      difference += number;
    } else {
      difference = packed.order === 1 ? number : number - value;
    }
    value += difference;
    values[i] = value === -1 ? NaN : packed.least + value * packed.step;
  }
  if (read !== bytes.length) throw new Error(`the data has more than ${count} numbers`);
  return values;
}

function unpackMesh(mesh) {
  const positions = new Float32Array(3 * mesh.count);
  mesh.vertices.forEach((packed, axis) => {
    const values = unpack(packed, mesh.count);
    for (let i = 0; i < mesh.count; ++i) positions[3 * i + axis] = at(values, i);
  });
  const corners = unpack(mesh.triangles, mesh.corners);
  const triangles = new Uint32Array(mesh.corners);
  for (let i = 0; i < mesh.corners; ++i) triangles[i] = at(corners, i);
  return { positions, triangles };
}

// What presses the contacts on, from their forces: f . n.
function normalForces(contacts, count) {
  return contacts.filter((contact) => contact.force).map((contact) => {
    const value = new Float64Array(count);
    for (let i = 0; i < count; ++i) {
      value[i] = contact.normal.reduce((sum, n, axis) => sum + n * at(contact.force[axis], i), 0);
    }
    return { group: 'Normal forces', name: contact.name, unit: 'N', value };
  });
}

function unpackEvents(events) {
  const n = events.count;
  const column = (packed) => unpack(packed, n);
  const time = column(events.time), kind = column(events.kind), bodies = column(events.bodies), lost = column(events.energy_lost);
  const point = events.point.map(column), impulse = events.impulse.map(column);
  const vector = (channels, i) => channels.map((channel) => at(channel, i));
  return Array.from({ length: n }, (_, i) => ({
    time: at(time, i),
    kind: events.words[at(kind, i)],
    bodies: events.words[at(bodies, i)],
    energyLost: at(lost, i),
    point: vector(point, i),
    impulse: vector(impulse, i),
  }));
}

// JSON of the page -> the motion that everything else works on.
export function decode(data) {
  if (data.format !== 1) throw new Error(`format ${data.format} of the data is not 1`);
  const n = data.count;
  const all = (channels) => channels.map((channel) => unpack(channel, n));
  const time = unpack(data.time, n);
  const contacts = data.contacts.map((contact) => ({
    ...contact,
    mu: contact.mu === null ? Infinity : contact.mu,
    state: unpack(contact.state, n),
    force: contact.force ? all(contact.force) : null,
  }));
  return {
    title: data.title,
    robot: data.robot,
    notes: data.notes,
    ground: data.ground,
    count: n,
    time: typeof time === 'number' ? new Float64Array(n).fill(time) : time,
    meshes: data.meshes.map(unpackMesh),
    bodies: data.bodies.map((body) => ({
      name: body.name,
      parent: body.parent,
      shapes: body.shapes,
      rest: { p: body.rest.slice(0, 3), q: body.rest.slice(3) },
      d: all(body.d),
      r: all(body.r),
    })),
    contacts,
    centerOfMass: data.center_of_mass ? all(data.center_of_mass) : null,
    events: unpackEvents(data.events),
    // those of the contacts last, so that portraits find theirs
    series: [...data.series.map((series) => ({ ...series, value: unpack(series.value, n) })), ...normalForces(contacts, n)],
    portraits: data.portraits,
  };
}
