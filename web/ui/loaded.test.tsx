import { globSync, readFileSync } from 'node:fs';
import { QueryClient, QueryClientProvider, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { alerts, draw } from '#test/support/draw.tsx';
import { Loaded, LoadedRows } from './Loaded.tsx';
import { EmptyState } from './states.tsx';

type Answer = () => Promise<unknown>;
const away: Answer = () => Promise.reject(new Error('It is away.'));
const never: Answer = () => new Promise(() => undefined);
let answer: Answer = never;

interface Page {
  rows: string[];
  nextCursor: string | null;
}
const pageOf =
  (rows: string[], nextCursor: string | null = null): Answer =>
  async () => ({ rows, nextCursor });

function Rows() {
  const list = useInfiniteQuery({
    queryKey: ['rows'],
    queryFn: () => answer() as Promise<Page>,
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  });
  return (
    <>
      <LoadedRows
        list={list}
        failure="The rows could not be loaded"
        loading={{ label: 'Loading the rows' }}
        empty={<EmptyState title="No rows yet" />}
        above={() => <p>A count</p>}
      >
        {(rows) => (
          <ul aria-label="Rows">
            {rows.map((row) => (
              <li key={row}>{row}</li>
            ))}
          </ul>
        )}
      </LoadedRows>
      <button type="button" onClick={() => void list.fetchNextPage()}>
        More
      </button>
    </>
  );
}

function Figure() {
  const read = useQuery({ queryKey: ['figure'], queryFn: () => answer() as Promise<{ count: number }> });
  return (
    <Loaded
      read={read}
      failure={{ title: 'Error', words: 'No figure' }}
      loading={{ label: 'Loading the figure' }}
      instead={{ words: 'Zero stands for nothing.', shown: <p>Figure 0</p> }}
    >
      {({ count }) => <p>Figure {count}</p>}
    </Loaded>
  );
}

function show(what: typeof Rows) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, retryOnMount: false } } });
  const What = what;
  draw(
    <QueryClientProvider client={client}>
      <What />
    </QueryClientProvider>,
  );
  return client;
}
const press = (name: string) => screen.getByRole('button', { name }).click();

test('a list loads in the shape of what comes, then shows its rows, and the failure of a reread stands above them', async () => {
  answer = never;
  const client = show(Rows);
  expect(screen.getByRole('status', { name: 'Loading the rows' })).toBeTruthy();
  expect(screen.queryByText('A count')).toBeNull();

  answer = pageOf(['One']);
  await client.resetQueries();
  expect(await screen.findByText('One')).toBeTruthy();
  expect(screen.queryByRole('status')).toBeNull();

  answer = away;
  await client.invalidateQueries();
  await screen.findByRole('alert');
  expect(alerts()).toEqual(['The rows could not be loadedIt is away. What you see below is from before.Try again']);
  const [notice, rows] = [screen.getByRole('alert'), screen.getByRole('list', { name: 'Rows' })];
  expect(notice.compareDocumentPosition(rows)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);

  answer = pageOf(['One', 'Two']);
  press('Try again');
  expect(await screen.findByText('Two')).toBeTruthy();
  expect(alerts()).toEqual([]);
});

test('a list whose first read failed is not an empty one, and Try again reads it', async () => {
  answer = away;
  show(Rows);
  await screen.findByRole('alert');
  expect(alerts()).toEqual(['The rows could not be loadedIt is away.Try again']);
  expect([screen.queryByText('No rows yet'), screen.queryByText('A count')]).toEqual([null, null]);

  answer = pageOf([]);
  press('Try again');
  expect(await screen.findByText('No rows yet')).toBeTruthy();
  expect(alerts()).toEqual([]);
});

test('a next page that failed makes nothing older, and is what is tried again', async () => {
  answer = pageOf(['One'], 'two');
  show(Rows);
  await screen.findByText('One');
  answer = away;
  press('More');
  await screen.findByRole('alert');
  expect(alerts()).toEqual(['The rows could not be loadedIt is away.Try again']);

  answer = pageOf(['Two']);
  press('Try again');
  await screen.findByText('Two');
  expect(screen.getByRole('list', { name: 'Rows' }).textContent).toBe('OneTwo');
});

test('what stands in the place of figures that could not be read is marked, and goes when they are there', async () => {
  answer = away;
  show(Figure);
  await screen.findByRole('alert');
  expect(alerts()).toEqual(['ErrorZero stands for nothing. No figureTry again']);
  expect(screen.getByText('Figure 0')).toBeTruthy();
  answer = async () => ({ count: 3 });
  press('Try again');
  await screen.findByText('Figure 3');
  expect(screen.queryByText('Figure 0')).toBeNull();
});

/** Failures of an act, a link, a file or a part of an answer, code on its way, and reads whose place another takes. */
const exceptions = [
  'web/features/accounts/LinkNotChecked.tsx',
  'web/features/accounts/own-details/ConfirmEmailPage.tsx',
  'web/features/curriculum/programme/ProgrammeSetupPage.tsx',
  'web/features/home/SectionNotLoaded.tsx',
  'web/features/imports/BulkInvitationsPage.tsx',
  'web/features/imports/UploadPlan.tsx',
  'web/features/learning/ActivityPage.tsx',
  'web/features/learning/FellowshipPage.tsx',
  'web/features/messages/ThreadView.tsx',
  'web/features/stipends/StipendCards.tsx',
  'web/features/stipends/StipendManagementPage.tsx',
  'web/features/stipends/StipendsOfWeek.tsx',
];
const handMade = /What you see (below )?is from before|\b(ErrorState|LoadingState|Skeleton)\b/;

test('no screen says by its own code that a read is under way, has failed or is older', () => {
  const files = globSync('web/{app,features,ui}/**/*.tsx').filter((file) => !file.includes('.test.'));
  const screens = files.filter((file) => file.startsWith('web/features/'));
  expect(screens.length).toBeGreaterThan(100);
  const own = screens.filter((file) => handMade.test(readFileSync(file, 'utf8')));
  expect(own.toSorted()).toEqual(exceptions);
  const sayers = files.filter((file) => readFileSync(file, 'utf8').includes('from before.'));
  expect(sayers).toEqual(['web/ui/Loaded.tsx']);
});
