// The 3-D view. It is given what is to be seen at an instant and works nothing out itself; without it, or without WebGL,
// the rest of the page is whole.
import {
  BoxGeometry, BufferAttribute, BufferGeometry, CapsuleGeometry, CircleGeometry, Color, ConeGeometry, CylinderGeometry,
  DirectionalLight, DoubleSide, Float32BufferAttribute, Fog, Group, HemisphereLight, Line, LineBasicMaterial, LineLoop, LineSegments, Mesh,
  MeshBasicMaterial, MeshStandardMaterial, PCFShadowMap, PerspectiveCamera, Quaternion, RingGeometry, Scene,
  ShadowMaterial, SphereGeometry, SRGBColorSpace, Vector3, WebGLRenderer,
} from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';

const kMostCorners = 64; // of the support polygon
const kZ = new Vector3(0, 0, 1);

const vector = (a) => new Vector3(a[0], a[1], a[2]);

function solidGeometry(shape, motion) {
  const [x, y, z] = shape.size;
  switch (shape.kind) {
    case 'box': return new BoxGeometry(x, y, z);
    case 'sphere': return new SphereGeometry(x, 32, 20);
    case 'cylinder': return new CylinderGeometry(x, x, z, 32).rotateX(Math.PI / 2);
    case 'capsule': return new CapsuleGeometry(x, z, 8, 24).rotateX(Math.PI / 2);
    case 'cone': return new ConeGeometry(x, z, 32).rotateX(Math.PI / 2);
    default: {
      const mesh = motion.meshes[shape.mesh];
      const geometry = new BufferGeometry();
      geometry.setAttribute('position', new BufferAttribute(mesh.positions, 3));
      geometry.setIndex(new BufferAttribute(mesh.triangles, 1));
      geometry.computeVertexNormals();
      return geometry;
    }
  }
}

function makeBody(body, index, motion) {
  const group = new Group();
  for (const shape of body.shapes) {
    const color = new Color();
    let opacity = 1;
    if (shape.color) {
      color.setRGB(shape.color[0], shape.color[1], shape.color[2], SRGBColorSpace);
      opacity = shape.color[3];
    } else {
      color.set(index % 2 === 0 ? 0x8fa3b8 : 0xb7a98f);
    }
    const mesh = new Mesh(
      solidGeometry(shape, motion),
      new MeshStandardMaterial({
        color, roughness: 0.7, metalness: 0.05, flatShading: shape.kind === 'mesh',
        transparent: opacity < 1, opacity: Math.max(0.15, opacity), depthWrite: opacity >= 1,
      }),
    );
    mesh.castShadow = opacity >= 1;
    mesh.receiveShadow = opacity >= 1;
    mesh.position.set(...shape.pose.slice(0, 3));
    mesh.quaternion.set(...shape.pose.slice(3));
    if (shape.kind === 'mesh') mesh.scale.set(...shape.size);
    group.add(mesh);
  }
  return group;
}

// From a tail along a vector; nothing where the vector is short.
class Arrow {
  constructor(parent) {
    // through bodies: the force on a foot is inside the leg
    this.material = new MeshBasicMaterial({ transparent: true, opacity: 0.92, depthTest: false, depthWrite: false, toneMapped: false });
    this.shaft = new Mesh(new CylinderGeometry(1, 1, 1, 12).rotateX(Math.PI / 2).translate(0, 0, 0.5), this.material);
    this.head = new Mesh(new ConeGeometry(1, 1, 16).rotateX(Math.PI / 2).translate(0, 0, 0.5), this.material);
    this.group = new Group();
    this.shaft.renderOrder = this.head.renderOrder = 3;
    this.group.add(this.shaft, this.head);
    this.group.visible = false;
    parent.add(this.group);
  }
  hide() {
    this.group.visible = false;
  }
  set(tail, along, thickness, color) {
    const length = along.length();
    this.group.visible = length > thickness;
    if (!this.group.visible) return;
    const head = Math.min(length * 0.5, 4 * thickness);
    this.group.position.copy(tail);
    this.group.quaternion.setFromUnitVectors(kZ, along.clone().divideScalar(length));
    this.shaft.scale.set(thickness / 2, thickness / 2, Math.max(1e-9, length - head));
    this.head.scale.set(thickness * 1.3, thickness * 1.3, head);
    this.head.position.z = length - head;
    this.material.color.copy(color);
  }
}

// The lines of a grid in a disc of `reach` cells, every `pitch`-th of them. A segment to each cell: drivers lose lines that
// reach far behind the camera.
function gridLines(cell, reach, pitch) {
  const points = [];
  for (let k = -reach; k <= reach; ++k) {
    if (k % pitch !== 0) continue;
    for (let j = -reach; j < reach; ++j) {
      if (Math.hypot(k, j + 0.5) > reach) continue;
      points.push(k, j, 0, k, j + 1, 0, j, k, 0, j + 1, k, 0);
    }
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new Float32BufferAttribute(points.map((x) => x * cell), 3));
  return new LineSegments(geometry, new LineBasicMaterial({ transparent: true, depthWrite: false, toneMapped: false }));
}

function roundLength(length) {
  const power = 10 ** Math.floor(Math.log10(length));
  return [1, 2, 5, 10].map((m) => m * power).reduce((a, b) => (Math.abs(b - length) < Math.abs(a - length) ? b : a));
}

// `size`: how far the bodies reach from their middle, m. `theme`: colours by name. `onDraw` is called after each picture
// that the camera asks for.
export function createView(container, motion, size, theme) {
  const renderer = new WebGLRenderer({ antialias: true, alpha: false, powerPreference: 'low-power' });
  renderer.setPixelRatio(Math.min(2, window.devicePixelRatio || 1));
  renderer.shadowMap.enabled = true;
  renderer.shadowMap.type = PCFShadowMap;
  container.append(renderer.domElement);
  renderer.domElement.setAttribute('role', 'img');
  renderer.domElement.setAttribute('aria-label', 'The robot in its world. Drag to turn, wheel to come nearer.');

  const scene = new Scene();
  scene.fog = new Fog(0xffffff, 1, 2); // round what is looked at: draw()
  const camera = new PerspectiveCamera(38, 1, size / 100, size * 100);
  camera.up.set(0, 0, 1);
  const controls = new OrbitControls(camera, renderer.domElement);
  controls.minDistance = size / 5;
  controls.maxDistance = size * 30;

  const sky = new HemisphereLight(0xffffff, 0x8a8f98, 1.6);
  sky.position.set(0, 0, 1);
  const sun = new DirectionalLight(0xffffff, 2.2);
  sun.castShadow = true;
  sun.shadow.mapSize.set(1024, 1024);
  sun.shadow.bias = -5e-4;
  sun.shadow.normalBias = size * 2e-3;
  Object.assign(sun.shadow.camera, { left: -2 * size, right: 2 * size, top: 2 * size, bottom: -2 * size, near: size / 10, far: 12 * size });
  scene.add(sky, sun, sun.target);

  // ---- ground
  const normal = vector(motion.ground.normal), groundPoint = vector(motion.ground.point);
  const lie = new Quaternion().setFromUnitVectors(kZ, normal);
  const ground = new Group();
  ground.quaternion.copy(lie);
  const cell = roundLength(size / 2);
  const grids = [gridLines(cell, 30, 1), gridLines(cell, 30, 5)];
  const floor = new Mesh(new CircleGeometry(30 * cell, 64), new MeshBasicMaterial({ polygonOffset: true, polygonOffsetFactor: 2, polygonOffsetUnits: 2, toneMapped: false }));
  const shade = new Mesh(floor.geometry, new ShadowMaterial({ opacity: 0.22, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 }));
  shade.receiveShadow = true;
  ground.add(floor, shade, ...grids);
  scene.add(ground);

  // ---- robot and what is shown of it
  const bodies = motion.bodies.map((body, index) => makeBody(body, index, motion));
  scene.add(...bodies);
  const arrows = motion.contacts.map(() => new Arrow(scene));
  const kicks = [0, 1, 2, 3, 4, 5, 6, 7].map(() => new Arrow(scene));
  // open above, its tip at the contact
  const coneGeometry = new ConeGeometry(1, 1, 40, 1, true).rotateX(-Math.PI / 2).translate(0, 0, 0.5);
  const cones = motion.contacts.map(() => {
    const cone = new Mesh(coneGeometry, new MeshBasicMaterial({ transparent: true, opacity: 0.2, side: DoubleSide, depthWrite: false, toneMapped: false }));
    cone.visible = false;
    scene.add(cone);
    return cone;
  });
  const overlay = { transparent: true, depthWrite: false, toneMapped: false };
  const polygonGeometry = new BufferGeometry();
  polygonGeometry.setAttribute('position', new BufferAttribute(new Float32Array(3 * kMostCorners), 3));
  const corners = [];
  for (let i = 1; i + 1 < kMostCorners; ++i) corners.push(0, i, i + 1);
  polygonGeometry.setIndex(corners);
  const polygon = new Mesh(polygonGeometry, new MeshBasicMaterial({ ...overlay, opacity: 0.22, side: DoubleSide }));
  const rimGeometry = new BufferGeometry();
  rimGeometry.setAttribute('position', polygonGeometry.getAttribute('position'));
  const rim = new LineLoop(rimGeometry, new LineBasicMaterial({ toneMapped: false }));
  const pressure = new Group();
  const disc = new Mesh(new RingGeometry(0.018 * size, 0.035 * size, 28), new MeshBasicMaterial({ ...overlay, side: DoubleSide }));
  const dot = new Mesh(new CircleGeometry(0.009 * size, 16), disc.material);
  pressure.add(disc, dot);
  pressure.quaternion.copy(lie);
  const mass = new Mesh(new SphereGeometry(0.035 * size, 24, 16), new MeshBasicMaterial({ ...overlay, depthTest: false, opacity: 0.9 }));
  mass.renderOrder = 2;
  const plumbGeometry = new BufferGeometry();
  plumbGeometry.setAttribute('position', new BufferAttribute(new Float32Array(6), 3));
  const plumb = new Line(plumbGeometry, new LineBasicMaterial({ ...overlay, opacity: 0.6 }));
  const track = new Line(new BufferGeometry(), new LineBasicMaterial({ ...overlay, opacity: 0.7 }));
  for (const each of [polygon, rim, plumb, track]) each.frustumCulled = false;
  scene.add(polygon, rim, pressure, mass, plumb, track);

  const names = document.createElement('div');
  names.className = 'names';
  container.append(names);
  const labels = motion.contacts.map((contact) => {
    const label = document.createElement('span');
    label.textContent = contact.name;
    names.append(label);
    return label;
  });

  // ---- state
  let frame = null, layers = null, followed = null;
  let width = 0, height = 0;
  const colors = {};

  function paint() {
    for (const name of ['force', 'met', 'event', 'mass', 'support', 'sky', 'floor', 'ground-line', 'ground-line-strong']) colors[name] = new Color(theme(`--${name}`));
    scene.background = colors.sky;
    scene.fog.color.copy(colors.sky);
    floor.material.color.copy(colors.floor);
    grids[0].material.color.copy(colors['ground-line']);
    grids[1].material.color.copy(colors['ground-line-strong']);
    polygon.material.color.copy(colors.support);
    rim.material.color.copy(colors.support);
    disc.material.color.copy(colors.support);
    for (const each of [mass, plumb, track]) each.material.color.copy(colors.mass);
  }

  // What the camera goes with: the point on the ground below the robot's middle.
  function place(point) {
    return point.clone().addScaledVector(normal, -normal.dot(point.clone().sub(groundPoint)));
  }

  function resetCamera() {
    if (!frame) return;
    const middle = vector(frame.middle);
    controls.target.copy(middle);
    const far = size * 3.3 * Math.max(1, 1.15 / Math.max(0.3, camera.aspect));
    camera.position.copy(middle).add(new Vector3(0.55, -1, 0.38).normalize().multiplyScalar(far));
    controls.update();
    followed = place(middle);
  }

  function follow() {
    const now = place(vector(frame.middle));
    if (followed && layers.follow) {
      const moved = now.clone().sub(followed);
      camera.position.add(moved);
      controls.target.add(moved);
      controls.update();
    }
    followed = now;
    // the grid stays where it is while the floor goes with the robot
    const turned = now.clone().sub(groundPoint).applyQuaternion(lie.clone().invert());
    const coarse = 5 * cell;
    turned.set(Math.round(turned.x / coarse) * coarse, Math.round(turned.y / coarse) * coarse, 0);
    ground.position.copy(turned.applyQuaternion(lie).add(groundPoint));
    sun.target.position.copy(vector(frame.middle));
    sun.position.copy(sun.target.position).add(new Vector3(-0.45, -0.6, 1).multiplyScalar(5 * size));
  }

  function showContacts() {
    const thickness = 0.022 * size;
    frame.contacts.forEach((contact, c) => {
      const closed = contact.state !== 0;
      const color = contact.met ? colors.met : colors.force;
      const shown = layers.forces && closed && contact.force;
      if (shown) arrows[c].set(vector(contact.point), vector(contact.force).multiplyScalar(frame.forceScale), thickness, color);
      else arrows[c].hide();
      const cone = cones[c];
      cone.visible = layers.cones && closed && Number.isFinite(contact.mu);
      if (cone.visible) {
        const n = vector(contact.normal);
        const fn = contact.force ? Math.max(0, vector(contact.force).dot(n)) : 0;
        const high = Math.max(0.12 * size, fn * frame.forceScale);
        cone.position.copy(vector(contact.point));
        cone.quaternion.setFromUnitVectors(kZ, n);
        cone.scale.set(contact.mu * high, contact.mu * high, high);
        cone.material.color.copy(color);
      }
    });
    kicks.forEach((kick, k) => {
      const hit = layers.forces ? frame.kicks[k] : undefined;
      if (hit) kick.set(vector(hit.point), vector(hit.along), thickness * 0.9, colors.event);
      else kick.hide();
    });
  }

  function showSupport() {
    const points = layers.support ? frame.polygon.slice(0, kMostCorners) : [];
    const lift = normal.clone().multiplyScalar(0.004 * size);
    const position = polygonGeometry.getAttribute('position');
    points.forEach((point, i) => position.setXYZ(i, point[0] + lift.x, point[1] + lift.y, point[2] + lift.z));
    position.needsUpdate = true;
    polygonGeometry.setDrawRange(0, Math.max(0, 3 * (points.length - 2)));
    rimGeometry.setDrawRange(0, points.length);
    polygon.visible = points.length > 2;
    rim.visible = points.length > 1;
    pressure.visible = layers.support && frame.pressure !== null;
    if (pressure.visible) pressure.position.copy(vector(frame.pressure)).addScaledVector(normal, 0.008 * size);
  }

  function showMass() {
    const shown = layers.mass && frame.mass !== null;
    mass.visible = plumb.visible = shown;
    track.visible = shown && layers.track;
    if (!shown) return;
    const at = vector(frame.mass), below = place(at);
    mass.position.copy(at);
    const position = plumbGeometry.getAttribute('position');
    position.setXYZ(0, at.x, at.y, at.z);
    position.setXYZ(1, below.x, below.y, below.z);
    position.needsUpdate = true;
  }

  function showNames() {
    names.hidden = !layers.names;
    if (!layers.names) return;
    frame.contacts.forEach((contact, c) => {
      const at = vector(contact.point).project(camera);
      const label = labels[c];
      label.hidden = at.z > 1;
      label.style.transform = `translate(${((at.x + 1) / 2) * width}px, ${((1 - at.y) / 2) * height}px) translate(-50%, 8px)`;
    });
  }

  function draw() {
    if (!frame || width === 0 || height === 0) return;
    const far = camera.position.distanceTo(controls.target);
    scene.fog.near = far + 1.5 * size;
    scene.fog.far = far + 9 * size;
    renderer.render(scene, camera);
    showNames();
  }

  controls.addEventListener('change', draw);
  paint();

  return {
    element: renderer.domElement,
    show(next, nextLayers) {
      const first = frame === null;
      frame = next;
      layers = nextLayers;
      frame.poses.forEach((pose, b) => {
        bodies[b].position.set(...pose.p);
        bodies[b].quaternion.set(...pose.q);
      });
      if (first) resetCamera();
      follow();
      showContacts();
      showSupport();
      showMass();
      draw();
    },
    setTrack(points) {
      track.geometry.setAttribute('position', new BufferAttribute(new Float32Array(points.flat()), 3));
    },
    resize() {
      const box = container.getBoundingClientRect();
      if (box.width === width && box.height === height) return;
      [width, height] = [box.width, box.height];
      if (width === 0 || height === 0) return;
      renderer.setSize(width, height);
      camera.aspect = width / height;
      camera.updateProjectionMatrix();
      draw();
    },
    paint() {
      paint();
      draw();
    },
    resetCamera() {
      resetCamera();
      draw();
    },
    // The picture as it is: to be taken at once, as the next task of the browser may clear it.
    picture() {
      draw();
      return renderer.domElement;
    },
  };
}
