import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ResponseOf } from '#contract/endpoint.ts';
import type { readConversation, readOpenedConversation } from '#contract/messages.ts';
import { call } from '../../api/call.ts';
import { queryClient, showing } from '../../api/query-for.ts';
import { type Thread, threadOf, withNewer, withOlder, withoutNewest, withoutOldest } from './thread-data.ts';

type ThreadEndpoint = typeof readConversation | typeof readOpenedConversation;

export function threadKey(endpoint: Pick<ThreadEndpoint, 'name'>, id: string) {
  return [endpoint.name, id, 'thread'] as const;
}

/** Reads a conversation in parts. A later read asks only for what is newer than its newest message. */
export function useThread<E extends ThreadEndpoint>(endpoint: E, id: string) {
  type Page = ResponseOf<E>;
  const queryKey = threadKey(endpoint, id);
  const known = () => queryClient.getQueryData<Thread<Page>>(queryKey);
  const read = (query: { before?: string; after?: string }) =>
    call<ThreadEndpoint>(endpoint, { params: { id }, query }) as Promise<Page>;

  // Otherwise a part that was left without its newest messages would look complete.
  useState(() => known()?.hasNewer && queryClient.removeQueries({ queryKey, exact: true }));

  const query = useQuery({
    ...showing(endpoint),
    queryKey,
    queryFn: async () => {
      const page = await read({ after: known()?.messages.at(-1)?.id });
      const thread = known();
      return thread ? withNewer(thread, page) : threadOf(page);
    },
    refetchOnMount: 'always',
  });
  const older = useMutation({
    mutationFn: () => read({ before: known()?.messages[0]?.id }),
    onSuccess: (page) =>
      queryClient.setQueryData<Thread<Page>>(queryKey, (thread) => thread && withoutNewest(withOlder(thread, page))),
  });
  const newer = async () => {
    await query.refetch();
    queryClient.setQueryData<Thread<Page>>(queryKey, (thread) => thread && withoutOldest(thread));
  };
  return { query, thread: query.data ?? null, older, newer };
}
