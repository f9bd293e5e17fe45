import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { readSession } from '#contract/accounts.ts';
import { specifiedCalendar } from '#contract/default-programme.ts';
import { listProgrammes, type Programme } from '#contract/programmes.ts';
import {
  createResource,
  listLibraryResources,
  listResources,
  type Resource,
  updateResource,
} from '#contract/resources.ts';
import { problemFor } from '#server/platform/errors.ts';
import {
  answers,
  called,
  fill,
  open,
  press,
  refused,
  robin,
  sees,
  seesHeading,
  serveScreens,
  sessionOf,
} from '#test/support/web-screens.tsx';
import { paths } from '../../app/paths.ts';

serveScreens();

const id = (last: number) => `00000000-0000-7000-8000-00000000000${last}`;
const first: Programme = {
  ...specifiedCalendar,
  id: id(1),
  name: 'Power Systems',
  firstWeekday: null,
  kindLabels: { fellowship: 'Fellowship', adult_mobilization: 'Adult Mobilization', self_learner: 'Self Learner' },
  paidKinds: ['fellowship'],
  audiences: [],
  moduleNames: [],
  isDefault: true,
  isArchived: false,
  cohorts: 1,
  version: 1,
};
const second: Programme = {
  ...first,
  id: id(2),
  name: 'Line Workers',
  kindLabels: { ...first.kindLabels, fellowship: 'Apprentice' },
  isDefault: false,
};
const ofAll: Resource = {
  ...{ id: id(3), title: 'Relays', description: null, fileType: 'slide', fileUrl: 'https://files.example/relays' },
  ...{ courseModule: null, program: 'fellowship', programme: null, createdAt: '2026-09-08T12:00:00Z' },
  ...{ creator: null, version: 1 },
};
const ofSecond: Resource = {
  ...{ ...ofAll, id: id(4), title: 'Climbing', fileUrl: 'https://files.example/climbing' },
  programme: { id: second.id, name: second.name, kindName: 'Apprentice' },
};

function shelf(rows: Resource[]) {
  return {
    ...{ rows, nextCursor: null, matching: rows.length, modules: [] },
    ...{ programs: ['fellowship'], knownModules: [] },
  };
}

beforeEach(() => {
  answers.set(readSession, () => sessionOf({ ...robin, role: 'admin' }));
  answers.set(listProgrammes, () => ({ rows: [first, second], nextCursor: null }));
  answers.set(listResources, () => shelf([ofAll, ofSecond]));
});

async function openManagement(search = '') {
  await open(`${paths.resourcesManagement}${search}`);
  await seesHeading('Resources Management');
  await sees('Relays');
}

const pressNamed = (label: string) => act(async () => screen.getByRole('button', { name: label }).click());
const fieldsIn = (place: HTMLElement, name: string) =>
  within(place).queryAllByRole('combobox', { name }) as HTMLInputElement[];
const fields = (name: string) => fieldsIn(document.body, name);
const describedBy = (field: HTMLInputElement | undefined) =>
  document.getElementById(field?.getAttribute('aria-describedby') ?? '')?.textContent;
const programs = [first.name, second.name];
const optionsOf = (field: HTMLInputElement | undefined) => [
  ...(document
    .getElementById(field?.getAttribute('aria-controls') ?? '')
    ?.querySelectorAll<HTMLElement>('[role=option]') ?? []),
];

async function openOptions(field: HTMLInputElement | undefined, words: string[]) {
  await act(async () => field?.click());
  await waitFor(() => expect(optionsOf(field).map(({ textContent }) => textContent)).toEqual(words));
}

async function choose(field: HTMLInputElement | undefined, words: string) {
  await act(async () => field?.click());
  await waitFor(() =>
    expect(
      optionsOf(field)
        .slice(1)
        .map(({ textContent }) => textContent),
    ).toEqual(programs),
  );
  await act(async () =>
    optionsOf(field)
      .find(({ textContent }) => textContent === words)
      ?.click(),
  );
}

test('with one program there is no choice of programs, neither in the filters nor where a resource is written', async () => {
  answers.set(listProgrammes, () => ({ rows: [first], nextCursor: null }));
  answers.set(listResources, () => shelf([ofAll]));
  await openManagement();
  await pressNamed('Add Resource');
  const dialog = await screen.findByRole('dialog', { name: 'Add New Resource' });
  expect(fieldsIn(dialog, 'Program')).toHaveLength(1);
  expect(fields('Only for')).toEqual([]);
  expect(called.map(({ path }) => path)).toContain(listProgrammes.path);
});

test('a row says the program that it is for alone after that program’s own word for the kind', async () => {
  await openManagement();
  const rowOf = (title: string) => screen.getByText(title).closest('tr')?.textContent;
  expect(rowOf('Climbing')).toContain('ApprenticeLine Workers');
  expect(rowOf('Relays')).toContain('Fellowship');
  expect(rowOf('Relays')).not.toContain('Power Systems');
});

test('a new resource is for all programs unless one is chosen, and the kinds are named as that program does', async () => {
  answers.set(createResource, () => ofSecond);
  await openManagement();
  await pressNamed('Add Resource');
  const dialog = await screen.findByRole('dialog', { name: 'Add New Resource' });
  const [onlyFor] = fieldsIn(dialog, 'Only for');
  expect(onlyFor?.value).toBe('All programs');
  await choose(onlyFor, 'Line Workers');
  expect(fieldsIn(dialog, 'Program')[0]?.value).toBe('Apprentice');
  await fill({ 'Title *': 'Climbing', 'File URL *': 'https://files.example/climbing' });
  await press('Create Resource');
  await waitFor(() =>
    expect(called).toContainEqual({
      path: createResource.path,
      body: expect.objectContaining({ title: 'Climbing', program: 'fellowship', programmeId: second.id }),
    }),
  );
});

test('an edit takes the program back, and a program that is gone is said at its field', async () => {
  const gone = 'This program no longer exists.';
  const problem = problemFor('invalid_input', gone, 'request', [{ path: 'programmeId', message: gone }]);
  answers.set(updateResource, () => Response.json(problem, { status: problem.status }));
  await openManagement();
  await pressNamed('Edit Climbing');
  const [, onlyFor] = fields('Only for');
  expect(onlyFor?.value).toBe('Line Workers');
  await choose(onlyFor, 'All programs');
  await pressNamed('Save');
  await waitFor(() =>
    expect(called).toContainEqual({
      path: updateResource.path.replace(':id', ofSecond.id),
      body: expect.objectContaining({ programmeId: null, version: 1 }),
    }),
  );
  await waitFor(() => expect(describedBy(fields('Only for')[1])).toBe(gone));
});

test('the filter leaves the resources of one program, and its words name the kinds', async () => {
  await openManagement();
  const [onlyFor] = fields('Only for');
  expect(onlyFor?.value).toBe('Any');
  await choose(onlyFor, 'Line Workers');
  await waitFor(() => expect(new URLSearchParams(window.location.search).get('programme')).toBe(second.id));
  await openOptions(fields('Program')[0], ['All programs', 'Apprentice']);
});

test('a program that is archived can still be chosen, and is named as such', async () => {
  answers.set(listProgrammes, () => ({ rows: [first, { ...second, isArchived: true }], nextCursor: null }));
  await openManagement();
  await openOptions(fields('Only for')[0], ['Any', 'Power Systems', 'Line Workers (archived)']);
});

test('where the programs could not be loaded, the form and the filters say so instead of hiding the choice', async () => {
  answers.set(listProgrammes, refused('not_found', 'Not now.'));
  await openManagement();
  await pressNamed('Add Resource');
  const dialog = await screen.findByRole('dialog', { name: 'Add New Resource' });
  await waitFor(() => expect(dialog.textContent).toContain('Not loaded'));
  const filters = document.querySelector('search');
  expect(filters?.textContent).toContain('Not loaded');
  // Nothing in the field is wrong.
  expect(fields('Only for').map((field) => field?.getAttribute('aria-invalid'))).toEqual([null, null]);
});

test.each([
  ['coach', true],
  ['participant', false],
] as const)('where a %s reads the library, it is %s that each resource says its program', async (role, isSaid) => {
  answers.set(listLibraryResources, () => ({ rows: [ofAll, ofSecond], nextCursor: null, matching: 2, modules: [] }));
  answers.set(readSession, () => sessionOf({ ...robin, role }));
  for (const view of ['', '?view=list']) {
    await open(`${paths.resources}${view}`);
    await sees('Climbing');
    expect(document.body.textContent?.includes('Apprentice, Line Workers')).toBe(isSaid);
  }
});
