import { act, waitFor } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { readSession, signOut } from '#contract/accounts.ts';
import {
  answers,
  called,
  open,
  press,
  robin,
  sees,
  seesHeading,
  serveScreens,
  sessionOf,
} from '#test/support/web-screens.tsx';
import { writeDeviceCopy } from '../api/device-copy.ts';
import { refresh } from '../api/query-for.ts';
import { refetchSession } from '../api/session.ts';
import { putOutgoing, saveDraft } from '../features/messages/unsent.ts';
import { draftKey } from '../features/submissions/draft-copies.ts';

serveScreens();

const sam = '00000000-0000-7000-8000-000000000002';
const keysOf = (userId: string) => Object.keys(localStorage).filter((key) => key.includes(userId));
const isSignedOut = () => called.some(({ path }) => path === signOut.path);
const draft = { text: 'My answer', file: null, round: null, basedOn: null, isSaved: false };
const assignmentOf = (userId: string) => draftKey({ kind: 'assignment', userId, subjectId: 'one' });

/** One copy of each kind that a browser keeps of somebody who is signed in. None of them is on the server. */
function writeAs(userId: string): void {
  saveDraft(userId, 'casey', { text: 'Dear Casey', file: null });
  putOutgoing(userId, { recipientId: 'casey', text: 'On its way', file: null });
  writeDeviceCopy(assignmentOf(userId), draft);
  const words = { roundNumber: 1, status: 'accepted', feedback: 'Weak, between us', pointsEarned: null };
  writeDeviceCopy(draftKey({ kind: 'review', userId, subjectId: 'one' }), words);
}

beforeEach(() => {
  localStorage.clear();
  answers.set(readSession, () => sessionOf(robin));
  answers.set(signOut, () => {
    answers.set(readSession, () => sessionOf(null));
    return { success: true };
  });
});

async function openScreen(): Promise<void> {
  await open('/change-password');
  await seesHeading('Change Password');
}

test('signing out asks before it deletes what only this browser has, and then leaves nothing of the person', async () => {
  await openScreen();
  writeAs(robin.id);
  writeAs(sam);
  await press('Sign Out');
  await sees('You have 2 unsent messages and 2 unsaved drafts in this browser only.');
  await press('Cancel');
  expect(isSignedOut()).toBe(false);
  expect(keysOf(robin.id)).toHaveLength(4);
  await press('Sign Out');
  await sees('Delete and sign out');
  await press('Delete and sign out');
  await seesHeading('Sign in');
  expect([keysOf(robin.id), keysOf(sam)]).toMatchObject([[], { length: 4 }]);
});

test('signing out asks nothing where the server has all; the saved copy goes, and no late answer writes it again', async () => {
  await openScreen();
  writeDeviceCopy(assignmentOf(robin.id), { ...draft, isSaved: true });
  expect(keysOf(robin.id)).toHaveLength(1);
  await press('Sign Out');
  await seesHeading('Sign in');
  expect(keysOf(robin.id)).toEqual([]);
  expect([robin.id, sam].map((id) => writeDeviceCopy(assignmentOf(id), draft))).toEqual([false, true]);
  answers.set(readSession, () => sessionOf(robin));
  await act(refetchSession);
  expect(writeDeviceCopy(assignmentOf(robin.id), draft)).toBe(true);
});

test('a session that merely ended takes nothing that was typed', async () => {
  await openScreen();
  writeAs(robin.id);
  answers.set(readSession, () => sessionOf(null));
  // This read ends when the person has signed in again or declined.
  const read = refetchSession();
  await sees('Leave this screen');
  await press('Leave this screen');
  await act(() => read);
  await sees('Authentication Required');
  expect(keysOf(robin.id)).toHaveLength(4);
});

test('a session that is seen to have ended before its sign-out is answered was left all the same, in every tab', async () => {
  await openScreen();
  writeAs(robin.id);
  const answer = fetch;
  vi.stubGlobal('fetch', async (address: string, options: RequestInit) => {
    const reply = await answer(address, options);
    // The live stream reports the end before the sign-out is answered.
    if (address.endsWith(signOut.path)) await refresh([readSession]);
    return reply;
  });
  const otherTab = new BroadcastChannel('switchyard.session');
  const said: unknown[] = [];
  otherTab.addEventListener('message', ({ data }) => said.push(data.isLeft));
  await press('Sign Out');
  await sees('Delete and sign out');
  await press('Delete and sign out');
  await seesHeading('Sign in');
  expect(keysOf(robin.id)).toEqual([]);
  await waitFor(() => expect(said).toEqual([true]));
  otherTab.close();
});
