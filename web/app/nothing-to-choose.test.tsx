import { waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { readSession } from '#contract/accounts.ts';
import { listContacts } from '#contract/messages.ts';
import { listActivityCohorts, listTrainingActivities } from '#contract/training-activities.ts';
import { alerts, press } from '#test/support/draw.tsx';
import { answers, open, refused, robin, sees, serveScreens, sessionOf } from '#test/support/web-screens.tsx';

serveScreens();

const cleo = {
  id: robin.id,
  name: 'Cleo Coach',
  email: 'cleo@people.example',
  role: 'coach',
  latest: null,
  unreadCount: 0,
};

const activity = {
  id: '00000000-0000-7000-8000-000000000001',
  title: 'Substation visit',
  deliveryPartner: null,
  trainingDeliveryMode: null,
  deliveryMedium: null,
  weekNumber: 2,
  location: null,
  duration: null,
  sessionDate: null,
  moduleName: null,
  cohortId: null,
  cohortName: null,
  reachedCount: 214,
  version: 1,
};

test.each([
  ['/cohorts', listContacts, 'Choose a conversation', [cleo]],
  ['/admin/content-management', listTrainingActivities, 'Choose an activity', [activity]],
] as const)('%s asks nobody to choose from a list that could not be loaded', async (place, read, words, rows) => {
  answers.set(readSession, () => sessionOf({ ...robin, role: 'admin', trackType: null }));
  answers.set(listActivityCohorts, () => ({ cohorts: [], modules: [], audiences: [], reachedCount: 0 }));
  answers.set(read, refused('not_found', 'The list is away.'));
  await open(place);
  await waitFor(() => expect(alerts()).toContainEqual(expect.stringContaining('The list is away.')));
  expect(document.body.textContent).not.toContain(words);
  answers.set(read, () => ({ rows, nextCursor: null, matching: rows.length }));
  await press('Try again');
  await sees(words);
});

test('content management without activities asks nobody to choose one', async () => {
  answers.set(readSession, () => sessionOf({ ...robin, role: 'admin', trackType: null }));
  answers.set(listActivityCohorts, () => ({ cohorts: [], modules: [], audiences: [], reachedCount: 0 }));
  answers.set(listTrainingActivities, () => ({ rows: [], nextCursor: null, matching: 0 }));
  await open('/admin/content-management');
  await sees('No activities yet');
  expect(document.body.textContent).not.toContain('Choose an activity');
});
