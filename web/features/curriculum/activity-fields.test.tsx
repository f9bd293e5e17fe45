import { act, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { readSession } from '#contract/accounts.ts';
import { type Cohort, listCohorts, readCohort } from '#contract/cohorts.ts';
import { defaultProgrammeId, specifiedCalendar } from '#contract/default-programme.ts';
import type { ProgrammeActivity } from '#contract/programme-items.ts';
import { listProgrammeActivities } from '#contract/programme-items.ts';
import { listActivityCohorts, listTrainingActivities, type TrainingActivity } from '#contract/training-activities.ts';
import { answers, open, robin, serveScreens, sessionOf } from '#test/support/web-screens.tsx';
import { paths } from '../../app/paths.ts';

serveScreens();

const id = (last: number) => `00000000-0000-7000-8000-00000000000${last}`;
const fall = { id: id(1), name: 'Fall 2026', status: 'active', isTarget: true };
const spring = { id: id(2), name: 'Spring 2025', status: 'completed', isTarget: false };
const facts = {
  id: id(3),
  title: 'Load flow',
  deliveryPartner: null,
  trainingDeliveryMode: null,
  deliveryMedium: null,
  weekNumber: 1,
  location: null,
  duration: null,
  sessionDate: null,
  moduleName: 'A module of its own',
  cohortId: fall.id,
  cohortName: fall.name,
  version: 1,
};
const inTraining: TrainingActivity = { ...facts, reachedCount: 214 };
const inSetup: ProgrammeActivity = {
  ...facts,
  zone: 'America/New_York',
  sessionTime: null,
  durationMinutes: null,
  description: null,
  isRequired: true,
  audiences: ['fellowship'],
  contents: 0,
  assignments: 0,
  attendance: 0,
  corrections: 0,
  ticks: 0,
  submissions: 0,
  drafts: 0,
};

const screens: [string, string, string][] = [
  ['Training Management', paths.trainingManagement, 'Save'],
  ['Programme Setup', `${paths.programmeSetup}?tab=activities`, 'Save activity'],
];

beforeEach(() => {
  answers.set(readSession, () => sessionOf({ ...robin, role: 'admin' }));
  answers.set(listActivityCohorts, () => ({
    cohorts: [fall, spring],
    modules: ['Case Management', 'Heat pumps'],
    audiences: [{ key: 'fellowship', label: 'Fellowship', programmeId: defaultProgrammeId }],
    reachedCount: 1240,
  }));
  answers.set(listTrainingActivities, () => ({ rows: [inTraining], nextCursor: null, matching: 1 }));
  answers.set(listProgrammeActivities, () => ({ rows: [inSetup], nextCursor: null }));
  answers.set(listCohorts, () => ({ rows: [fall, spring], nextCursor: null }));
  answers.set(
    readCohort,
    () => ({ ...fall, startDate: '2026-09-07', calendar: specifiedCalendar }) as unknown as Cohort,
  );
});

/** A filter and an edited field may share a label. The filter comes first, so this takes the last. */
const field = (label: string) =>
  [...document.querySelectorAll('label')]
    .filter(({ textContent }) => textContent?.replace(/ \*$/, '') === label)
    .map(({ htmlFor }) => document.getElementById(htmlFor) as HTMLInputElement)
    .at(-1);

async function edit(place: string) {
  await open(place);
  const button = () => document.querySelector<HTMLElement>('[aria-label="Edit Load flow"]');
  await waitFor(() => expect(button()).not.toBeNull());
  await act(async () => button()?.click());
  await waitFor(() => expect(field('Title')?.value).toBe('Load flow'));
}

async function type(input: HTMLInputElement | undefined, words: string) {
  const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set;
  await act(async () => {
    if (input) set?.call(input, words);
    input?.dispatchEvent(new Event('input', { bubbles: true }));
  });
}

const unfold = (label: string) => act(async () => field(label)?.click());
const optionsOf = (label: string) => {
  const list = document.getElementById(field(label)?.getAttribute('aria-controls') ?? '');
  return [...(list?.querySelectorAll('[role=option]') ?? [])].map(({ textContent }) => textContent);
};

test.each(screens)('%s offers the cohorts that activities may go to', async (_, place) => {
  await edit(place);
  await unfold('Cohort');
  await waitFor(() => expect(optionsOf('Cohort')).toEqual(['Fall 2026']));
});

test.each(screens)(
  '%s offers the modules that there are, and the one that it has, and takes no others',
  async (_, place) => {
    await edit(place);
    await unfold('Module');
    await waitFor(() => expect(optionsOf('Module')).toEqual(['A module of its own', 'Case Management', 'Heat pumps']));
    await type(field('Module'), 'Basket weaving');
    expect(field('Module')?.value).toBe('A module of its own');
  },
);

test.each(screens)('%s says which days a week of the cohort has', async (_, place) => {
  await edit(place);
  await waitFor(() => expect(document.body.textContent).toContain('Week 1: Mon 7 Sep to Sun 13 Sep.'));
});

test.each(screens)('%s refuses no title and a week before the first at their fields', async (_, place, save) => {
  await edit(place);
  await type(field('Title'), '  ');
  await type(field('Week'), '0');
  const button = [...document.querySelectorAll('button')].find(({ textContent }) => textContent === save);
  await act(async () => button?.click());
  const errorOf = (label: string) => document.getElementById(`${field(label)?.id}-error`)?.textContent;
  await waitFor(() => expect(errorOf('Title')).toBe('A title is required'));
  expect(errorOf('Week')).toBe('The week must be a whole number from 1 on');
});
