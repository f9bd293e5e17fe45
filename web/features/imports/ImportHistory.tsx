import { Button, Card, Modal, Stack, Title } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { z } from 'zod';
import { type ImportItem, listImports } from '#contract/imports.ts';
import { messageOf } from '../../api/api-error.ts';
import { pagesFor } from '../../api/query-for.ts';
import { paths } from '../../app/paths.ts';
import { type Column, DataTable } from '../../ui/DataTable.tsx';
import { DateTime } from '../../ui/DateTime.tsx';
import { EmptyState, ErrorState, LoadingState } from '../../ui/states.tsx';
import { rowBelowHeader } from './error-report.ts';
import { ImportStatus } from './ImportProgress.tsx';
import { ImportReport } from './ImportReport.tsx';

type Item = z.output<typeof ImportItem>;

const lookAgainInMs = 5_000;

/** Earlier uploads, newest first; the address holds the one whose report is open (BULK-38, BULK-39). */
export function ImportHistory() {
  const history = useInfiniteQuery({
    ...pagesFor(listImports, { query: {} }),
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ rows }) => rows.some(({ status }) => status === 'processing')) ? lookAgainInMs : false,
  });
  const { report } = useSearch({ strict: false }) as { report?: string };
  const navigate = useNavigate();
  const open = (id: string | undefined) =>
    void navigate({ to: paths.bulkInvitations, search: id ? { report: id } : {}, resetScroll: false });
  const items = history.data?.pages.flatMap(({ rows }) => rows) ?? [];

  return (
    <Card component="section" aria-labelledby="upload-history">
      <Stack gap="md">
        <Title order={2} id="upload-history">
          Upload history
        </Title>
        {history.isPending ? <LoadingState label="Loading the upload history" rows={3} /> : null}
        {history.isError ? (
          <ErrorState
            title="The upload history could not be loaded"
            message={messageOf(history.error)}
            onRetry={() => void history.refetch()}
            isRetrying={history.isFetching}
          />
        ) : null}
        {history.isSuccess && items.length === 0 ? (
          <EmptyState title="No uploads yet">Each file that you upload is listed here with its result.</EmptyState>
        ) : null}
        {items.length > 0 ? (
          <DataTable label="Uploads, newest first" columns={columnsFor(open)} rows={items} keyOf={({ id }) => id} />
        ) : null}
        {history.hasNextPage ? (
          <Button
            variant="default"
            w="fit-content"
            onClick={() => void history.fetchNextPage()}
            loading={history.isFetchingNextPage}
          >
            Show earlier uploads
          </Button>
        ) : null}
      </Stack>
      <Modal
        opened={report !== undefined}
        onClose={() => open(undefined)}
        title={items.find(({ id }) => id === report)?.filename ?? 'Upload'}
        size="xl"
        styles={{ title: { overflowWrap: 'anywhere' } }}
      >
        {report ? <ImportReport importId={report} rowOf={rowBelowHeader} /> : null}
      </Modal>
    </Card>
  );
}

function columnsFor(open: (id: string) => void): Column<Item>[] {
  return [
    {
      key: 'filename',
      label: 'File',
      width: '24%',
      cell: ({ filename }) => <span style={{ overflowWrap: 'anywhere' }}>{filename}</span>,
    },
    { key: 'status', label: 'Status', cell: ({ status }) => <ImportStatus status={status} /> },
    { key: 'total', label: 'Records', isNumber: true, cell: ({ totalRecords }) => totalRecords },
    { key: 'successful', label: 'Created', isNumber: true, cell: ({ successfulRecords }) => successfulRecords },
    { key: 'failed', label: 'Failed', isNumber: true, cell: ({ failedRecords }) => failedRecords },
    { key: 'created', label: 'Uploaded', cell: ({ createdAt }) => <DateTime value={createdAt} /> },
    {
      key: 'completed',
      label: 'Finished',
      cell: ({ completedAt }) => (completedAt ? <DateTime value={completedAt} /> : 'Not yet'),
    },
    {
      key: 'report',
      label: 'Errors',
      cell: ({ id, filename, failedRecords }) =>
        failedRecords > 0 ? (
          <Button
            variant="default"
            size="compact-sm"
            onClick={() => open(id)}
            aria-label={`Error report of ${filename}`}
          >
            Error report
          </Button>
        ) : (
          'None'
        ),
    },
  ];
}
