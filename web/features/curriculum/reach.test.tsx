import { act, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { readSession } from '#contract/accounts.ts';
import { listActivityCohorts, listTrainingActivities, type TrainingActivity } from '#contract/training-activities.ts';
import { answers, open, press, robin, seesHeading, serveScreens, sessionOf } from '#test/support/web-screens.tsx';
import { paths } from '../../app/paths.ts';

serveScreens();

const id = (last: number) => `00000000-0000-7000-8000-00000000000${last}`;
const fall = { id: id(1), name: 'Fall 2026', status: 'active', isTarget: true };
const activity: TrainingActivity = {
  id: id(2),
  title: 'Load flow',
  deliveryPartner: null,
  trainingDeliveryMode: null,
  deliveryMedium: null,
  weekNumber: 1,
  location: null,
  duration: null,
  sessionDate: null,
  moduleName: null,
  cohortId: null,
  cohortName: null,
  reachedCount: 214,
  version: 1,
};
const ofFall = { ...activity, id: id(3), title: 'Relays', cohortId: fall.id, cohortName: fall.name, reachedCount: 31 };

beforeEach(async () => {
  answers.set(readSession, () => sessionOf({ ...robin, role: 'admin' }));
  answers.set(listActivityCohorts, () => ({ cohorts: [fall], modules: [], audiences: [], reachedCount: 1240 }));
  answers.set(listTrainingActivities, () => ({ rows: [activity, ofFall], nextCursor: null, matching: 2 }));
  await open(paths.trainingManagement);
  await seesHeading('Training Activity Management');
});

const fieldsOf = (label: string) =>
  [...document.querySelectorAll('label')]
    .filter(({ textContent }) => textContent === label)
    .map(({ htmlFor }) => document.getElementById(htmlFor) as HTMLElement);
const edit = (title: string) =>
  act(async () => document.querySelector<HTMLElement>(`[aria-label="Edit ${title}"]`)?.click());
const described = (field: HTMLElement | undefined) =>
  document.getElementById(field?.getAttribute('aria-describedby') ?? '')?.textContent;
/** The filter stands before the row that is in edit. */
const inEdit = () => fieldsOf('Cohort')[1];

test('in the filter, Unassigned says that all cohorts are taught it, and how many people at most', async () => {
  await act(async () => fieldsOf('Cohort')[0]?.click());
  const unassigned = () =>
    [...document.querySelectorAll('[role=option]')].find(({ textContent }) => textContent?.startsWith('Unassigned'));
  await waitFor(() => expect(unassigned()).toBeDefined());
  expect(unassigned()?.textContent).toBe('UnassignedTaught to all cohorts · reaches up to 1,240 people');
});

test('where an activity is edited, its cohort field says whom it reaches without one', async () => {
  await edit('Load flow');
  expect(described(inEdit())).toBe('Taught to all cohorts · reaches 214 people');
  await press('Cancel');
  await edit('Relays');
  expect(described(inEdit())).toBeUndefined();
  const clear = inEdit()?.parentElement?.querySelector<HTMLElement>('button');
  await act(async () => clear?.click());
  expect(described(inEdit())).toBe('Taught to all cohorts · reaches 31 people');
});
