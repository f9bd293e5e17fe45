import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readSession } from '#contract/accounts.ts';
import { readConversation } from '#contract/messages.ts';
import { problemFor } from '#server/platform/errors.ts';
import { alerts, draw } from '#test/support/draw.tsx';
import { Somewhere } from '#test/support/somewhere.tsx';
import { queryClient, queryFor, refresh } from '../../api/query-for.ts';
import { ConversationPane } from './ConversationPane.tsx';
import { forgetUnsent } from './unsent.ts';

const userId = '0190b7a0-0000-7000-8000-000000000001';
const person = { id: '0190b7a0-0000-7000-8000-000000000002', name: 'Casey Cole', role: 'coach' };
const message = (text: string) => ({
  id: text,
  clientKey: null,
  ...{ senderId: userId, senderName: 'Robin', recipientId: person.id, recipientName: person.name },
  ...{ text, file: null, sentAt: '2026-11-20T15:00:00.000Z', isRead: true, readAt: '2026-11-20T15:01:00.000Z' },
});
/** The server refuses to read addresses that match. */
let refused: RegExp;

beforeEach(() => {
  refused = /nothing/;
  vi.stubGlobal('fetch', async (address: string) => {
    if (refused.test(address)) {
      return Response.json(problemFor('not_found', 'It is away.', 'r', null), { status: 404 });
    }
    const isOlder = address.includes('before=');
    const isNewer = address.includes('after=');
    const messages = isOlder ? [message('An older one')] : isNewer ? [message('A newer one')] : [message('The first')];
    return Response.json({
      ...{ messages, openings: [], hasOlder: !isOlder, hasNewer: false, readUpToId: null },
      ...{ person, firstUnreadId: null, can: { send: true } },
    });
  });
  queryClient.setQueryData(queryFor(readSession).queryKey, { user: { id: userId, role: 'participant' } } as never);
});
afterEach(() => {
  cleanup();
  forgetUnsent(userId);
  queryClient.clear();
  vi.unstubAllGlobals();
});

const click = (name: string) => fireEvent.click(screen.getByRole('button', { name }));

test('MSG-30 older and newer messages that cannot be read are told in an open conversation, and can be tried again', async () => {
  draw(
    <QueryClientProvider client={queryClient}>
      <Somewhere>
        <ConversationPane personId={person.id} />
      </Somewhere>
    </QueryClientProvider>,
  );
  await waitFor(() => expect(document.body.textContent).toContain('The first'));
  expect(alerts()).toEqual([]);

  refused = /before=/;
  click('Show older messages');
  await waitFor(() => expect(alerts()).toEqual(['Failed to load messagesIt is away.Try again']));
  refused = /after=/;
  click('Try again');
  await waitFor(() => expect(document.body.textContent).toContain('An older one'));
  expect(alerts()).toEqual([]);

  await act(async () => void (await refresh([readConversation])));
  await waitFor(() =>
    expect(alerts()).toEqual(['Failed to load messagesIt is away. What you see below is from before.Try again']),
  );
  expect(document.body.textContent).toContain('The first');
  refused = /nothing/;
  click('Try again');
  await waitFor(() => expect(document.body.textContent).toContain('A newer one'));
  expect(alerts()).toEqual([]);
});
