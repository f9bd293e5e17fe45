import { expect, test } from 'vitest';
import { facts } from '#contract/facts.ts';
import { readContract } from './support/contract.ts';

/** Endpoints that show no fact, each with the reason why nothing on them grows stale. */
const showingNothing: Record<string, string> = {
  readAuditChoices: 'a log is read as it was when somebody opened it',
  listAuditLog: 'a log is read as it was when somebody opened it',
  readHealth: 'monitoring asks for it, in its own rhythm',
  readReadiness: 'monitoring asks for it, in its own rhythm',
  readPushKey: 'a key of the instance',
  readKeySet: 'keys of the instance, for other services',
  readWellKnownKeySet: 'keys of the instance, for other services',
  issueServiceToken: 'made for the person who asks',
  claimReview: 'keeps a submission open; the submission shows for whom',
  processStipends: 'has a week computed; the list of it shows what came of that',
};

/** These have the method of a write, but a screen only reads through them. The body carries the question. */
const readByAWrite = [
  'checkImport',
  'checkMailSignIn',
  'checkPasswordLink',
  'checkPush',
  'previewActivityAssignment',
  'previewCoachAssignment',
  'previewEnrolments',
  'previewInvitations',
];

test('what reads says which facts its answer shows, and what shows none has a reason', async () => {
  const endpoints = await readContract();
  const reading = endpoints.filter(({ method, binary }) => method === 'GET' && !binary);
  const withoutShows = reading.filter(({ shows }) => !shows).map(({ name }) => name);
  expect(withoutShows).toEqual([]);
  const empty = endpoints.filter(({ shows }) => shows?.length === 0).map(({ name }) => name);
  expect(empty.toSorted()).toEqual(Object.keys(showingNothing).toSorted());
  const written = endpoints.filter(({ method, shows }) => method !== 'GET' && shows && shows.length > 0);
  expect(written.map(({ name }) => name)).toEqual(readByAWrite);
});

test('no answer names a fact twice, and each fact is shown somewhere', async () => {
  const shown = (await readContract()).map(({ name, shows = [] }) => ({ name, shows }));
  expect(shown.filter(({ shows }) => new Set(shows).size < shows.length)).toEqual([]);
  const everything = new Set(shown.flatMap(({ shows }) => shows));
  expect(facts.filter((fact) => !everything.has(fact))).toEqual([]);
});
