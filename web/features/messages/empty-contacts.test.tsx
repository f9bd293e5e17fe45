import { expect, test } from 'vitest';
import { readSession } from '#contract/accounts.ts';
import { listContacts } from '#contract/messages.ts';
import { answers, open, robin, sees, serveScreens, sessionOf } from '#test/support/web-screens.tsx';

serveScreens();

test('a participant without a coach is not asked to choose a conversation', async () => {
  answers.set(readSession, () => sessionOf(robin));
  answers.set(listContacts, () => ({ rows: [], nextCursor: null }));
  await open('/cohorts');
  await sees('No coach yet');
  expect(document.body.textContent).not.toContain('Choose a conversation');
});
