import { expect, test } from 'vitest';
import { writeDeviceCopy } from '../../api/device-copy.ts';
import { type DeviceDraft, draftKey, presentDraft, type ServerDraft, unsavedDrafts } from './draft-copies.ts';

const file = { id: 'a', name: 'a.pdf', size: 1 };
const device: DeviceDraft = {
  text: 'Here',
  file: null,
  round: null,
  basedOn: '2026-01-01T10:00:00.000Z',
  isSaved: false,
};
const server: ServerDraft = { text: 'There', file: null, updatedAt: '2026-01-01T11:00:00.000Z' };
const earlier = { roundNumber: 1, text: 'Handed in', file: { ...file, mimeType: 'application/pdf' } };
const untouched = { text: '', file: null, round: null, basedOn: null, isSaved: true };
const ofServer = { text: 'There', file: null, round: null, basedOn: server.updatedAt, isSaved: true };

test.each([
  ['nothing is written', { device: null, server: null }, untouched],
  ['only the server has it', { device: null, server }, ofServer],
  ['only this device has it', { device, server: null }, device],
  ['the server has what this device knows', { device: { ...device, basedOn: server.updatedAt }, server }, null],
  [
    'the server’s answer is older than this device’s',
    { device: { ...device, basedOn: '2026-01-01T12:00:00.000Z' }, server },
    null,
  ],
  ['another device went on, and nothing is unsaved here', { device: { ...device, isSaved: true }, server }, ofServer],
  ['both wrote the same', { device: { ...device, text: 'There' }, server }, ofServer],
])('one version is shown when %s', (_when, copies, expected) => {
  const shown = presentDraft({ ...copies, earlier: null });
  expect(shown).toEqual({ draft: expected ?? copies.device, other: null });
});

test.each([
  ['another device went on', device],
  ['this device never saw the other’s', { ...device, basedOn: null }],
  ['only the file differs', { ...device, text: 'There', file }],
])('both versions are shown when something is unsaved here and %s', (_when, own) => {
  expect(presentDraft({ device: own, server, earlier: null })).toEqual({ draft: own, other: server });
});

test('what is handed in again begins with the earlier round, and no draft of another round is taken for it', () => {
  const begun = { text: 'Handed in', file: earlier.file, round: 1, basedOn: null, isSaved: true };
  expect(presentDraft({ device: null, server: null, earlier })).toEqual({ draft: begun, other: null });
  expect(presentDraft({ device, server: null, earlier })).toEqual({ draft: begun, other: null });
  const ofRound = { ...device, round: 1 };
  expect(presentDraft({ device: ofRound, server: null, earlier })).toEqual({ draft: ofRound, other: null });
});

test('drafts that only this device has are counted for their person', () => {
  const keyOf = (userId: string, subjectId: string) => draftKey({ kind: 'assignment', userId, subjectId });
  writeDeviceCopy(keyOf('robin', 'saved'), { ...device, isSaved: true });
  writeDeviceCopy(keyOf('sam', 'unsaved'), device);
  expect([unsavedDrafts('robin'), unsavedDrafts('sam')]).toEqual([0, 1]);
  writeDeviceCopy(keyOf('robin', 'unsaved'), device);
  writeDeviceCopy(draftKey({ kind: 'review', userId: 'robin', subjectId: 'one' }), { feedback: 'Good' });
  expect(unsavedDrafts('robin')).toBe(2);
  localStorage.clear();
});
