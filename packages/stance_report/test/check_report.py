"""Reads a report folder with Python's own parsers: JSON, CSV and XML that others can read.

usage: check_report.py FOLDER [TEXT_IN_EVERY_PICTURE ...]
"""
import csv
import json
import pathlib
import sys
import xml.etree.ElementTree as xml

folder, texts = pathlib.Path(sys.argv[1]), sys.argv[2:]
summary = json.loads((folder / 'summary.json').read_text())
keys = ('title robot steps period step_length energy_lost_per_step steady verdict ended ended_detail time seed '
        'state_hash energy contact_residual implicit_steps events dropped_events files')
assert list(summary) == keys.split(), list(summary)
assert sorted(summary['files']) == sorted(p.name for p in folder.iterdir()), summary['files']

with open(folder / 'events.csv', newline='') as file:
    events = list(csv.DictReader(file))
assert len(events) == summary['events']
assert [int(e['sequence']) for e in events] == list(range(len(events)))
touchdowns = sorted({float(e['time']) for e in events if e['kind'] == 'touchdown'})
# feet that come down within 20 ms make one step, and one that is back within that made none
apart = sum(b - a >= 0.02 for a, b in zip([-1] + touchdowns, touchdowns))
assert apart <= summary['steps'] <= len(touchdowns), (apart, summary['steps'], len(touchdowns))

with open(folder / 'trajectory.csv', newline='') as file:
    rows = list(csv.DictReader(file))
times = [float(r['time']) for r in rows]
assert times == sorted(times) and times[-1] <= summary['time'] + 1e-9
assert all(None not in r and None not in r.values() for r in rows), 'a row of another length'

for name, labels in {
        'phase.svg': ['[rad]', '[rad/s]', 'support', 'swing', 'touchdown', 'lift-off'],
        'energy.svg': ['kinetic energy [J]', 'potential energy', 'A'],
        'strip.svg': ['[m]', 'foothold'],
        'timeline.svg': ['time [s]', 'impulse [N s]', 'foot on the ground']}.items():
    root = xml.parse(folder / name).getroot()
    assert root.tag == '{http://www.w3.org/2000/svg}svg', root.tag
    shown = ' '.join(t.text or '' for t in root.iter('{http://www.w3.org/2000/svg}text'))
    for label in labels + texts:
        assert label in shown, f'{name} does not show "{label}"'
    for element in root.iter():
        for key, value in element.attrib.items():
            assert 'nan' not in value and 'inf' not in value, f'{name}: {element.tag} {key}={value}'
print(f'{folder.name}: {summary["verdict"]}')
