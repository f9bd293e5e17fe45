import { QueryObserver } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { queryClient, refresh } from './query-for.ts';

test('what is read for the first time while it changes is read once more', async () => {
  const answers: ((answer: string) => void)[] = [];
  const observer = new QueryObserver(queryClient, {
    queryKey: ['readRoster'],
    queryFn: () => new Promise<string>((resolve) => answers.push(resolve)),
  });
  const stop = observer.subscribe(() => {});
  expect(answers).toHaveLength(1);
  const refreshed = refresh([{ name: 'readRoster' }]);
  answers[0]?.('before the change');
  await expect.poll(() => answers.length).toBe(2);
  answers[1]?.('after it');
  await refreshed;
  expect(observer.getCurrentResult().data).toBe('after it');
  stop();
  queryClient.clear();
});

test('what was read before is read again once', async () => {
  let reads = 0;
  const observer = new QueryObserver(queryClient, {
    queryKey: ['readRoster'],
    queryFn: async () => {
      reads += 1;
      return reads;
    },
  });
  const stop = observer.subscribe(() => {});
  await expect.poll(() => observer.getCurrentResult().data).toBe(1);
  await refresh([{ name: 'readRoster' }]);
  expect(observer.getCurrentResult().data).toBe(2);
  stop();
  queryClient.clear();
});
