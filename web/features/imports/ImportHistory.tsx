import { Anchor, Button, Card, Stack, Title } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { z } from 'zod';
import { type ImportItem, listImports } from '#contract/imports.ts';
import { pagesFor } from '../../api/query-for.ts';
import { paths } from '../../app/paths.ts';
import { type Column, DataTable } from '../../ui/DataTable.tsx';
import { DateTime } from '../../ui/DateTime.tsx';
import { formatDateTime } from '../../ui/dates.ts';
import { LoadedRows } from '../../ui/Loaded.tsx';
import { NextPageButton } from '../../ui/NextPageButton.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { TwoLines } from '../../ui/TwoLines.tsx';
import { ImportStatus } from './ImportProgress.tsx';

type Item = z.output<typeof ImportItem>;

const lookAgainInMs = 5_000;
const pages = pagesFor(listImports, { query: {} });

/** Reads the history again while an upload runs, because another admin may have sent it. */
export const historyQuery: typeof pages = {
  ...pages,
  refetchInterval: ({ state }) =>
    state.data?.pages.some(({ rows }) => rows.some(({ status }) => status === 'processing')) ? lookAgainInMs : false,
};

/** Earlier uploads, newest first. Each links to its own page (BULK-38, BULK-39). */
export function ImportHistory() {
  const history = useInfiniteQuery(historyQuery);
  return (
    <Card component="section" aria-labelledby="upload-history">
      <Stack gap="md">
        <Title order={2} id="upload-history">
          Upload history
        </Title>
        <LoadedRows
          list={history}
          failure="The upload history could not be loaded"
          loading={{ label: 'Loading the upload history', rows: 3 }}
          empty={
            <EmptyState title="No uploads yet">Each file that you upload is listed here with its result.</EmptyState>
          }
        >
          {(items) => (
            <DataTable
              label="Uploads, newest first"
              columns={columns}
              rows={items}
              keyOf={({ id }) => id}
              minWidth={860}
            />
          )}
        </LoadedRows>
        <NextPageButton list={history}>Show earlier uploads</NextPageButton>
      </Stack>
    </Card>
  );
}

const columns: Column<Item>[] = [
  {
    key: 'filename',
    label: 'File',
    onPhone: 'first',
    cell: (item) => (
      <TwoLines first={<FileLink item={item} />} second={`by ${item.createdBy.firstName} ${item.createdBy.lastName}`} />
    ),
    cellOnPhone: (item) => <TwoLines first={<FileLink item={item} />} />,
  },
  {
    key: 'status',
    label: 'Status',
    width: 140,
    onPhone: 'firstEnd',
    cell: ({ status, undoneAt }) => <ImportStatus status={status} isUndone={undoneAt !== null} />,
  },
  {
    key: 'total',
    label: 'Records',
    width: 78,
    isNumber: true,
    cell: ({ totalRecords }) => totalRecords.toLocaleString('en-US'),
  },
  {
    key: 'successful',
    label: 'Created',
    width: 78,
    isNumber: true,
    cell: ({ successfulRecords }) => successfulRecords.toLocaleString('en-US'),
  },
  {
    key: 'failed',
    label: 'Failed',
    width: 70,
    isNumber: true,
    cell: ({ failedRecords }) => failedRecords.toLocaleString('en-US'),
  },
  {
    key: 'created',
    label: 'Uploaded',
    width: 228,
    onPhone: 'secondRest',
    cellOnPhone: ({ createdAt, successfulRecords, totalRecords }) => (
      <TwoLines
        first={`${successfulRecords.toLocaleString('en-US')} of ${totalRecords.toLocaleString('en-US')} created`}
        second={formatDateTime(createdAt)}
      />
    ),
    cell: ({ createdAt, completedAt }) => (
      <TwoLines
        first={<DateTime value={createdAt} />}
        second={
          completedAt ? (
            <>
              Finished <DateTime value={completedAt} />
            </>
          ) : (
            'Not finished yet'
          )
        }
      />
    ),
  },
  {
    key: 'report',
    label: 'Errors',
    width: 132,
    onPhone: 'secondEnd',
    cell: ({ id, filename, failedRecords }) =>
      failedRecords > 0 ? (
        <Button
          component={Link}
          to={`${paths.import(id)}?state=failed`}
          variant="default"
          size="compact-sm"
          aria-label={`Error report of ${filename}`}
        >
          Error report
        </Button>
      ) : (
        'None'
      ),
  },
];

function FileLink({ item: { id, filename } }: { item: Item }) {
  return (
    <Anchor component={Link} to={paths.import(id)} inherit>
      {filename}
    </Anchor>
  );
}
