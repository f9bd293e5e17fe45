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

test('a read that failed is not made again by another part that shows it, but by what shows it when none did', async () => {
  let reads = 0;
  const options = {
    queryKey: ['readRoster'],
    queryFn: async () => {
      reads += 1;
      throw new Error('It failed.');
    },
  };
  const first = new QueryObserver(queryClient, options);
  const stopFirst = first.subscribe(() => {});
  await expect.poll(() => first.getCurrentResult().isError).toBe(true);
  const second = new QueryObserver(queryClient, options);
  const stopSecond = second.subscribe(() => {});
  expect(second.getCurrentResult()).toMatchObject({ status: 'error', fetchStatus: 'idle' });
  stopFirst();
  await new Promise((resolve) => setTimeout(resolve));
  expect(reads).toBe(1);
  await second.refetch();
  expect(reads).toBe(2);

  stopSecond();
  await expect.poll(() => queryClient.getQueryCache().find(options)).toBeUndefined();
  const later = new QueryObserver(queryClient, options);
  const stopLater = later.subscribe(() => {});
  await expect.poll(() => reads).toBe(3);
  stopLater();
  queryClient.clear();
});

test('a read that fails when nothing shows it any more is forgotten too', async () => {
  const options = { queryKey: ['readRoster'], queryFn: () => Promise.reject(new Error('It failed.')) };
  await queryClient.prefetchQuery(options);
  await expect.poll(() => queryClient.getQueryCache().find(options)).toBeUndefined();
});
