import { expect, test } from 'vitest';
import { type Role, roles, rolesWith } from '#contract/roles.ts';
import { screensOf } from '../../app/more-screens.ts';
import { router } from '../../app/routes.tsx';
import { actIn, actsOf, actsOnThings } from './acts.ts';

const labelsOf = (role: Role) => actsOf(role, screensOf(role)).map(({ label }) => label);

test.each<[Role, string[], string[]]>([
  [
    'participant',
    ['Complete an activity', 'Hand in work', 'Book a session', 'Upload a file', 'Send a message'],
    ['Review work', 'Rate the week', 'Import people', 'Enroll somebody'],
  ],
  [
    'coach',
    ['Rate the week', 'Review work', 'Offer times for sessions', 'Send a message'],
    ['Hand in work', 'Book a session', 'Approve a week of stipends', 'Assign coaches'],
  ],
  [
    'admin',
    ['Approve a week of stipends', 'Import people', 'Enroll somebody', 'Assign coaches', 'Add an activity'],
    ['Rate the week', 'Hand in work', 'Send a message'],
  ],
])('a %s is offered what the role may do, and nothing else', (role, offered, kept) => {
  expect(labelsOf(role)).toEqual(expect.arrayContaining(offered));
  for (const label of kept) expect(labelsOf(role)).not.toContain(label);
});

test.each(roles)('an act of a %s leads to a screen that the role may open, by a permission that it holds', (role) => {
  const acts = actsOf(role, screensOf(role));
  expect(acts.length).toBeGreaterThan(5);
  for (const { to, permission } of acts) {
    expect(rolesWith(permission)).toContain(role);
    expect(router.routesByPath[to].options.staticData?.roles ?? roles).toContain(role);
  }
  // A screen that the role cannot be led to has no act.
  expect(actsOf(role, [])).toEqual([]);
});

/** They are the dashboard by another address. */
const dashboards = ['/', '/admin', '/coach', '/fellowship-dashboard'];

test.each(roles)('every screen that a %s may open stands in the navigation, under More or below the name', (role) => {
  const listed = screensOf(role).map(({ to }) => String(to));
  const open = Object.values(router.routesByPath)
    .filter(({ parentRoute, fullPath }) => parentRoute?.id === '/signed-in' && !fullPath.includes('$'))
    .filter(({ options }) => (options.staticData?.roles ?? roles).includes(role))
    .map(({ fullPath }) => String(fullPath))
    .filter((path) => !dashboards.includes(path));
  expect(open.length).toBeGreaterThan(8);
  expect(open.filter((path) => !listed.includes(path))).toEqual([]);
});

test.each([
  ['message ana garcia', 'coach', 'Send a message to', 'ana garcia'],
  ['send a message to Ana', 'participant', 'Send a message to', 'ana'],
  ['enroll łukasz', 'admin', 'Enroll', 'łukasz'],
  ['hand in report', 'participant', 'Hand in', 'report'],
] as const)('"%s" of a %s names an act and its thing', (typed, role, verb, thing) => {
  expect(actIn(typed, role)).toMatchObject({ act: { verb }, thing });
});

test.each([
  ['message ana', 'admin'],
  ['enroll ana', 'coach'],
  ['hand in report', 'coach'],
  ['hand', 'participant'],
  ['to', 'participant'],
  ['in', 'participant'],
  ['en', 'admin'],
  ['ana message', 'coach'],
  ['', 'coach'],
] as const)('"%s" of a %s is no act', (typed, role) => {
  expect(actIn(typed, role)).toBeNull();
});

test('the only person who is found can be written to or enrolled; of many, those whom an act was typed for', () => {
  const person = (id: string, role: Role) => ({ id, title: `Person ${id}`, detail: null, role });
  const nothing = { activities: [], assignments: [], resources: [] };
  const titles = (people: ReturnType<typeof person>[], role: Role, typed = '') =>
    actsOnThings({ ...nothing, people }, role, actIn(typed, role)?.act).map(({ title }) => title);
  const [ana, ben] = [person('a', 'participant'), person('b', 'coach')];
  expect(titles([ana], 'coach')).toEqual(['Send a message to Person a']);
  expect(titles([ana], 'admin')).toEqual(['Enroll Person a']);
  expect(titles([ben], 'admin')).toEqual([]);
  expect(titles([ana, person('c', 'participant')], 'admin')).toEqual([]);
  expect(titles([ana, ben, person('c', 'participant')], 'admin', 'enroll pers')).toEqual([
    'Enroll Person a',
    'Enroll Person c',
  ]);
});
