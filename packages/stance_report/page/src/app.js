// The page: one time, shown by the view, the plots and the bar, and moved by any of them.
import { decode } from './decode.js';
import { add, extent, mixed, norm, posesAt, scale, vectorAt } from './pose.js';
import { advance, eventAfter, eventBefore, indexAt, kSlowSpan, nearEvent, placeAt } from './playback.js';
import { centerOfPressure, contactsAt, hull, kOpen, kSlide, usualForce } from './contact.js';
import { kColors, Plot, rangeOf, shortNumber, valueAt } from './plot.js';
import { Slider } from './slider.js';
import { table } from './table.js';

const kSpeeds = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10];
const kKickSpan = 0.12; // s that an impulse stays to be seen
const kArrow = 0.7; // of the robot's size, for a usual force
const kMostTrack = 6000; // points of the centre of mass's track

const element = (id) => document.getElementById(id);

function make(tag, className, text) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

// Colours come from the style sheet, so that dark and light are said in one place.
function makeTheme() {
  let known = new Map();
  const theme = (name) => {
    if (!known.has(name)) known.set(name, getComputedStyle(document.documentElement).getPropertyValue(name).trim());
    return known.get(name);
  };
  theme.forget = () => {
    known = new Map();
  };
  return theme;
}

// What a plot can show: each group of series, and each portrait.
function contentsOf(motion) {
  const contents = [];
  for (const series of motion.series) {
    let group = contents.find((each) => each.title === series.group);
    if (!group) {
      group = { title: series.group, unit: series.unit, series: [] };
      contents.push(group);
    }
    if (group.unit !== series.unit) group.unit = '';
    group.series.push(series);
  }
  // a passive robot has efforts, all of them zero
  const zero = (group) => /efforts$/.test(group.title) && group.series.every((series) => series.value === 0);
  for (const group of contents.filter(zero)) contents.splice(contents.indexOf(group), 1);
  for (const portrait of motion.portraits) {
    contents.push({ title: `Phase portrait: ${portrait.name}`, x: motion.series[portrait.x], y: motion.series[portrait.y] });
  }
  return contents;
}

// The four that say most, as far as there are such.
function firstContents(contents, motion) {
  // of the portraits the one of the joint that is fastest
  const speed = (each) => {
    const [least, most] = each.y ? rangeOf([each.y.value], 0, motion.count - 1) : [0, 0];
    return most - least;
  };
  const fastest = contents.filter((each) => each.y).sort((a, b) => speed(b) - speed(a))[0];
  const wanted = [/^Joint positions/, motion.contacts.length > 1 ? /^Normal forces/ : /force|reaction/i, /^Energy/];
  const chosen = [...wanted.map((pattern) => contents.find((each) => pattern.test(each.title))), fastest].filter(Boolean);
  for (const each of contents) if (chosen.length < Math.min(4, contents.length) && !chosen.includes(each)) chosen.push(each);
  return chosen;
}

function download(name, blob) {
  const link = make('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

export class App {
  constructor(motion) {
    this.motion = motion;
    this.theme = makeTheme();
    this.begin = motion.time[0];
    this.end = motion.time[motion.count - 1];
    this.t = this.begin;
    this.window = [this.begin, this.end];
    this.playing = false;
    this.speed = 1;
    this.slow = false;
    this.layers = { follow: true, forces: true, cones: true, support: true, mass: true, track: true, names: false };
    const poses = posesAt(motion, 0, 0);
    this.size = extent(motion, poses);
    this.weight = usualForce(motion);
    this.forceScale = this.weight > 0 ? (kArrow * this.size) / this.weight : 0;
    const hardest = motion.events.reduce((most, event) => Math.max(most, norm(event.impulse)), 0);
    this.kickScale = hardest > 0 ? (kArrow * this.size) / hardest : 0;
    this.name = (motion.title || motion.robot || 'replay').replace(/[^\p{L}\p{N}]+/gu, '_').replace(/^_+|_+$/g, '').slice(0, 60) || 'replay';

    this.writeHeader();
    this.makeView();
    this.makePlots();
    this.slider = new Slider(element('slider'), motion, this.theme);
    this.connect();
    this.seek(this.timeOfAddress() ?? this.begin);
    requestAnimationFrame((now) => this.tick(now));
  }

  // ---- what stands there

  writeHeader() {
    const { motion } = this;
    document.title = motion.title || motion.robot || 'stance replay';
    element('title').textContent = motion.title || motion.robot || 'Replay';
    const facts = [motion.robot, `${shortNumber(this.end - this.begin)} s`, `${motion.count} samples`, `${motion.events.length} events`];
    element('facts').textContent = facts.filter(Boolean).join('  \u00b7  ');
    const notes = element('notes');
    for (const note of motion.notes) notes.append(make('li', '', note));
    element('notes-box').hidden = motion.notes.length === 0;
    element('notes-count').textContent = `${motion.notes.length} note${motion.notes.length === 1 ? '' : 's'}`;
    element('event-buttons').hidden = motion.events.length === 0;
    element('slow').hidden = motion.events.length === 0;
    const speed = element('speed');
    for (const each of kSpeeds) {
      const option = make('option', '', `${each}\u00d7`);
      option.value = String(each);
      speed.append(option);
    }
    speed.value = '1';
  }

  makeView() {
    const stage = element('stage');
    let why = '';
    if (typeof stanceView === 'undefined') {
      why = 'This page was built without its 3-D view: npm or the network was missing then. Plots and tables are whole.';
    } else if (!document.createElement('canvas').getContext('webgl2')) {
      why = 'This browser has no WebGL, so there is no 3-D view. Plots and tables are whole.';
    } else {
      try {
        this.view = stanceView.createView(stage, this.motion, this.size, this.theme);
      } catch (error) {
        why = `The 3-D view cannot be shown (${error.message}). Plots and tables are whole.`;
      }
    }
    if (!this.view) {
      element('no-view').textContent = why;
      document.body.classList.add('without-view');
      return;
    }
    const mass = this.motion.centerOfMass;
    if (mass) {
      const stride = Math.max(1, Math.ceil(this.motion.count / kMostTrack));
      const points = [];
      for (let i = 0; i < this.motion.count; i += stride) points.push(vectorAt(mass, i));
      this.view.setTrack(points);
    }
  }

  makePlots() {
    const contents = contentsOf(this.motion);
    this.panels = firstContents(contents, this.motion).map((content) => {
      const panel = make('section', 'plot');
      const head = make('div', 'plot-head');
      const choice = make('select');
      choice.setAttribute('aria-label', 'What this plot shows');
      contents.forEach((each, k) => {
        const option = make('option', '', each.title);
        option.value = String(k);
        choice.append(option);
      });
      const legend = make('div', 'legend');
      head.append(choice, legend);
      const canvas = make('canvas');
      const holder = make('div', 'plot-canvas');
      holder.append(canvas);
      panel.append(head, holder);
      element('plots').append(panel);
      const made = { panel, canvas, legend, plot: new Plot(canvas, this.motion, this.theme), values: [] };
      const show = (chosen) => {
        made.plot.setContent(chosen);
        panel.classList.toggle('portrait', !chosen.series);
        canvas.setAttribute('aria-label', chosen.title);
        this.makeLegend(made);
        this.stale = true;
      };
      choice.value = String(contents.indexOf(content));
      choice.addEventListener('change', () => show(contents[Number(choice.value)]));
      this.connectPlot(made);
      show(content);
      return made;
    });
  }

  makeLegend(panel) {
    const { plot, legend } = panel;
    legend.replaceChildren();
    panel.values = [];
    const { content } = plot;
    const rows = content.series ?? [content.x, content.y];
    rows.forEach((series, k) => {
      const chip = make('button', 'chip');
      chip.type = 'button';
      const swatch = make('i');
      if (content.series) swatch.style.background = `var(--line-${k % kColors})`;
      const value = make('b');
      const unit = series.unit ? ` ${series.unit}` : '';
      chip.title = `${series.name}${unit}`;
      legend.append(chip);
      if (!content.series) {
        chip.append(value);
        chip.disabled = true;
        panel.values.push({ value, series, unit });
        return;
      }
      chip.append(swatch, make('span', '', series.name), value);
      panel.values.push({ value, series, unit: '' });
      chip.setAttribute('aria-pressed', 'true');
      chip.addEventListener('click', () => {
        if (plot.hidden.has(k)) plot.hidden.delete(k);
        else plot.hidden.add(k);
        chip.setAttribute('aria-pressed', String(!plot.hidden.has(k)));
        plot.stale = true;
        this.stale = true;
      });
    });
  }

  // ---- what moves it

  connect() {
    const on = (id, type, act) => element(id).addEventListener(type, act);
    on('play', 'click', () => this.toggle());
    on('previous', 'click', () => this.jump(eventBefore));
    on('next', 'click', () => this.jump(eventAfter));
    on('speed', 'change', (event) => this.setSpeed(Number(event.target.value)));
    on('slow', 'click', () => this.setSlow(!this.slow));
    on('png', 'click', () => this.savePicture());
    on('csv', 'click', () => this.saveTable());
    on('help-button', 'click', () => this.toggleHelp());
    on('help-close', 'click', () => this.toggleHelp(false));
    on('help', 'click', (event) => {
      if (event.target === element('help')) this.toggleHelp(false);
    });
    for (const button of document.querySelectorAll('[data-layer]')) {
      button.addEventListener('click', () => this.setLayer(button.dataset.layer));
    }
    on('reset-view', 'click', () => this.view?.resetCamera());
    this.connectDrag(element('slider'), (x) => this.seek(this.slider.timeAt(x)));
    document.addEventListener('keydown', (event) => this.onKey(event));
    const dark = window.matchMedia('(prefers-color-scheme: dark)');
    dark.addEventListener('change', () => this.repaint());
    const watch = new ResizeObserver(() => {
      this.view?.resize();
      this.stale = true;
    });
    watch.observe(element('stage'));
    watch.observe(element('plots'));
    watch.observe(element('slider'));
    window.addEventListener('hashchange', () => {
      const t = this.timeOfAddress();
      if (t !== undefined) this.seek(t);
    });
    this.showLayers();
  }

  // While the pointer is down, `move` gets where it is. Playing stops for as long.
  connectDrag(target, move) {
    let down = false, played = false;
    const at = (event) => {
      const box = target.getBoundingClientRect();
      return [event.clientX - box.left, event.clientY - box.top];
    };
    target.addEventListener('pointerdown', (event) => {
      if (event.button !== 0) return;
      down = true;
      played = this.playing;
      this.playing = false;
      target.setPointerCapture(event.pointerId);
      move(...at(event), event);
    });
    target.addEventListener('pointermove', (event) => {
      if (down) move(...at(event), event);
    });
    const up = () => {
      if (down && played) this.play();
      down = false;
    };
    target.addEventListener('pointerup', up);
    target.addEventListener('pointercancel', up);
  }

  connectPlot(panel) {
    const { canvas, plot } = panel;
    this.connectDrag(canvas, (x, y) => {
      this.seek(plot.content.series ? plot.timeAt(x) : plot.instantAt(x, y, this.t));
    });
    canvas.addEventListener('wheel', (event) => {
      if (!plot.content.series) return;
      event.preventDefault();
      const box = canvas.getBoundingClientRect();
      if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
        this.shiftWindow((event.deltaX || event.deltaY) / canvas.clientWidth);
      } else {
        this.zoom(Math.exp(event.deltaY * 0.002), plot.timeAt(event.clientX - box.left));
      }
    }, { passive: false });
    canvas.addEventListener('dblclick', () => this.setWindow(this.begin, this.end));
  }

  onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target instanceof HTMLSelectElement) return;
    const stepTo = (k) => this.seek(this.motion.time[Math.min(this.motion.count - 1, Math.max(0, k))]);
    const here = indexAt(this.motion.time, this.t + 1e-9);
    const between = this.t > this.motion.time[here] + 1e-9;
    const keys = {
      ' ': () => this.toggle(),
      ArrowRight: () => (event.shiftKey ? this.seek(this.t + 0.1) : stepTo(here + 1)),
      ArrowLeft: () => (event.shiftKey ? this.seek(this.t - 0.1) : stepTo(between ? here : here - 1)),
      Home: () => this.seek(this.begin),
      End: () => this.seek(this.end),
      n: () => this.jump(eventAfter),
      p: () => this.jump(eventBefore),
      '+': () => this.changeSpeed(1),
      '=': () => this.changeSpeed(1),
      '-': () => this.changeSpeed(-1),
      s: () => this.setSlow(!this.slow),
      f: () => this.setLayer('follow'),
      a: () => this.setLayer('forces'),
      c: () => this.setLayer('cones'),
      u: () => this.setLayer('support'),
      m: () => this.setLayer('mass'),
      l: () => this.setLayer('names'),
      r: () => this.view?.resetCamera(),
      z: () => this.zoom(0.5, this.t),
      x: () => this.zoom(2, this.t),
      o: () => this.setWindow(this.begin, this.end),
      '?': () => this.toggleHelp(),
      h: () => this.toggleHelp(),
      Escape: () => this.toggleHelp(false),
    };
    const act = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act) return;
    event.preventDefault();
    // a button that has the focus is not pressed by the key as well
    if (event.key === ' ' && document.activeElement instanceof HTMLElement) document.activeElement.blur();
    act();
  }

  // ---- time

  seek(t) {
    this.t = Math.min(this.end, Math.max(this.begin, t));
    const [from, to] = this.window;
    if (this.t < from || this.t > to) this.setWindow(this.t - (to - from) * 0.1, this.t + (to - from) * 0.9);
    this.stale = true;
  }
  play() {
    if (this.t >= this.end) this.t = this.begin;
    this.playing = true;
    this.stale = true;
  }
  pause() {
    this.playing = false;
    this.stale = true;
  }
  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }
  jump(find) {
    const event = find(this.motion.events, this.t);
    if (!event) return;
    this.pause();
    this.seek(event.time);
  }
  setSpeed(speed) {
    this.speed = speed;
    element('speed').value = String(speed);
  }
  changeSpeed(by) {
    const k = kSpeeds.indexOf(this.speed) + by;
    this.setSpeed(kSpeeds[Math.min(kSpeeds.length - 1, Math.max(0, k))]);
  }
  setSlow(slow) {
    this.slow = slow;
    element('slow').setAttribute('aria-pressed', String(slow));
  }
  setWindow(from, to) {
    const length = Math.min(this.end - this.begin, Math.max(1e-4, to - from));
    from = Math.max(this.begin, Math.min(from, this.end - length));
    this.window = [from, from + length];
    this.stale = true;
  }
  zoom(factor, about) {
    const [from, to] = this.window;
    this.setWindow(about - (about - from) * factor, about + (to - about) * factor);
  }
  shiftWindow(part) {
    const [from, to] = this.window;
    this.setWindow(from + part * (to - from), to + part * (to - from));
  }
  // #t=1.5 in the address
  timeOfAddress() {
    const found = /[#&]t=([-+.\deE]+)/.exec(window.location.hash);
    const t = found ? Number(found[1]) : NaN;
    return Number.isFinite(t) ? t : undefined;
  }

  setLayer(name) {
    this.layers[name] = !this.layers[name];
    this.layers.track = this.layers.mass;
    this.showLayers();
    this.stale = true;
  }
  showLayers() {
    for (const button of document.querySelectorAll('[data-layer]')) {
      button.setAttribute('aria-pressed', String(this.layers[button.dataset.layer]));
    }
  }
  repaint() {
    this.theme.forget();
    this.view?.paint();
    for (const { plot } of this.panels) plot.stale = true;
    this.slider.stale = true;
    this.stale = true;
  }

  // ---- drawing

  tick(now) {
    const elapsed = Math.min(0.1, (now - (this.last ?? now)) / 1000);
    this.last = now;
    if (this.playing) {
      this.seek(advance(this.t, elapsed, this.speed, this.slow, this.motion.events));
      if (this.t >= this.end) this.playing = false;
    }
    if (this.stale) {
      this.stale = false;
      this.draw();
    }
    requestAnimationFrame((next) => this.tick(next));
  }

  frameAt(t) {
    const { motion } = this;
    const { i, s } = placeAt(motion.time, t);
    const poses = posesAt(motion, i, s);
    const contacts = contactsAt(motion, poses, i, s, this.weight);
    const closed = contacts.filter((contact) => contact.state !== kOpen);
    const normal = motion.ground.normal;
    const mass = motion.centerOfMass ? mixed(motion.centerOfMass, i, s) : null;
    const kicks = motion.events
      .filter((event) => norm(event.impulse) > 0 && t >= event.time - 5e-7 && t < event.time + kKickSpan)
      .map((event) => ({ point: event.point, along: scale(event.impulse, this.kickScale * (1 - (t - event.time) / kKickSpan)) }));
    return {
      t, poses, contacts, kicks, mass,
      middle: mass ?? scale(poses.reduce((sum, pose) => add(sum, pose.p), [0, 0, 0]), 1 / poses.length),
      polygon: hull(closed.map((contact) => contact.point), normal),
      pressure: centerOfPressure(closed.filter((contact) => contact.force)),
      forceScale: this.forceScale,
    };
  }

  draw() {
    const frame = this.frameAt(this.t);
    this.frame = frame;
    if (this.view) {
      this.view.resize();
      this.view.show(frame, this.layers);
    }
    for (const panel of this.panels) {
      panel.plot.draw(this.t, this.window);
      for (const { value, series, unit } of panel.values) {
        const text = shortNumber(valueAt(series.value, this.motion.time, this.t)) + unit;
        if (value.textContent !== text) value.textContent = text;
      }
    }
    this.slider.draw(this.t);
    this.write(frame);
  }

  write(frame) {
    const put = (id, text) => {
      const at = element(id);
      if (at.textContent !== text) at.textContent = text;
    };
    put('time', this.t.toFixed(4));
    put('end-time', `/ ${this.end.toFixed(2)} s`);
    const play = element('play');
    play.setAttribute('aria-label', this.playing ? 'Pause' : 'Play');
    play.classList.toggle('playing', this.playing);
    const { events } = this.motion;
    const last = eventBefore(events, this.t + 1e-6);
    let said = '';
    if (last) {
      // all of that instant
      const same = events.filter((event) => Math.abs(event.time - last.time) < 5e-7);
      const impulse = same.reduce((most, event) => Math.max(most, norm(event.impulse)), 0);
      const lost = same.reduce((sum, event) => sum + event.energyLost, 0);
      said = same.map((event) => `${event.kind.replaceAll('_', ' ')} ${event.bodies}`).join('; ');
      said += ` at ${last.time.toFixed(4)} s`;
      if (impulse > 0) said += `, ${shortNumber(impulse)} N s`;
      if (lost) said += `, ${shortNumber(-lost)} J`;
    }
    put('event', said);
    element('event').classList.toggle('now', nearEvent(events, this.t, kSlowSpan));
    const list = element('contacts');
    const shown = frame.contacts.filter((contact) => contact.state !== kOpen);
    while (list.children.length > shown.length) list.lastChild.remove();
    while (list.children.length < shown.length) {
      const item = make('li');
      item.append(make('i'), make('span'), make('b'));
      list.append(item);
    }
    shown.forEach((contact, k) => {
      const [mark, name, value] = list.children[k].children;
      mark.className = contact.met ? 'met' : '';
      const label = contact.state === kSlide ? `${contact.name} slides` : contact.name;
      if (name.textContent !== label) name.textContent = label;
      const text = contact.force ? `${shortNumber(norm(contact.force))} N` : '';
      if (value.textContent !== text) value.textContent = text;
    });
  }

  toggleHelp(show) {
    const help = element('help');
    help.hidden = !(show ?? help.hidden);
    if (!help.hidden) element('help-close').focus();
  }

  // ---- to take away

  // View and plots as they stand, in one picture.
  savePicture() {
    const ratio = window.devicePixelRatio || 1;
    const parts = [...document.querySelectorAll('#plots canvas, #slider')];
    const view = this.view?.picture();
    if (view) parts.unshift(view);
    const box = element('main').getBoundingClientRect();
    const bottom = element('transport').getBoundingClientRect().bottom;
    const picture = make('canvas');
    picture.width = Math.round(box.width * ratio);
    picture.height = Math.round((bottom - box.top) * ratio);
    const context = picture.getContext('2d');
    context.scale(ratio, ratio);
    context.fillStyle = this.theme('--panel');
    context.fillRect(0, 0, picture.width, picture.height);
    for (const part of parts) {
      const at = part.getBoundingClientRect();
      if (at.width > 0) context.drawImage(part, at.left - box.left, at.top - box.top, at.width, at.height);
    }
    context.fillStyle = this.theme('--text');
    context.font = `12px ${this.theme('--font')}`;
    context.textBaseline = 'top';
    context.fillText(`${document.title}, t = ${this.t.toFixed(4)} s`, 12, 10);
    for (const { panel, plot } of this.panels) {
      const at = panel.getBoundingClientRect();
      let x = at.left - box.left + 14;
      const write = (text, color) => {
        context.fillStyle = this.theme(color);
        if (x + context.measureText(text).width < at.right - box.left) context.fillText(text, x, at.top - box.top + 10);
        x += context.measureText(text).width + 14;
      };
      write(plot.content.title, '--text');
      (plot.content.series ?? []).forEach((series, k) => {
        if (!plot.hidden.has(k)) write(series.name, `--line-${k % kColors}`);
      });
    }
    picture.toBlob((blob) => download(`${this.name}_${this.t.toFixed(3)}s.png`, blob), 'image/png');
  }

  saveTable() {
    download(`${this.name}.csv`, new Blob([table(this.motion)], { type: 'text/csv' }));
  }
}

export function start() {
  const motion = decode(JSON.parse(element('replay').textContent));
  window.stanceReplay = new App(motion);
}
