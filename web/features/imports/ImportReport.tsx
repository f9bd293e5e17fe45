import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { readImport } from '#contract/import-results.ts';
import { messageOf } from '../../api/api-error.ts';
import { queryFor } from '../../api/query-for.ts';
import { type Column, DataTable } from '../../ui/DataTable.tsx';
import { ErrorState, LoadingState } from '../../ui/states.tsx';
import { downloadText, errorReportCsv, type ImportDetail, type RowOf } from './error-report.ts';
import { ImportProgress } from './ImportProgress.tsx';

type Failure = ImportDetail['errorReport'][number];

const shownAtFirst = 50;
const lookAgainInMs = 3_000;

/** How an upload went, live while it runs: the counts, and every record that failed with its reason (BULK-37, BULK-39). */
export function ImportReport({ importId, rowOf }: { importId: string; rowOf: RowOf }) {
  const upload = useQuery({
    ...queryFor(readImport, { params: { id: importId } }),
    // Live news say so at once; this is for a browser that can't hold the stream open.
    refetchInterval: ({ state }) => (state.data?.status === 'processing' ? lookAgainInMs : false),
  });
  if (upload.data) return <LoadedReport upload={upload.data} rowOf={rowOf} />;
  if (upload.isPending) return <LoadingState label="Loading the result" rows={3} />;
  return (
    <ErrorState
      title="The result could not be loaded"
      message={messageOf(upload.error)}
      onRetry={() => void upload.refetch()}
      isRetrying={upload.isFetching}
    />
  );
}

function LoadedReport({ upload, rowOf }: { upload: ImportDetail; rowOf: RowOf }) {
  const [showsAll, setShowsAll] = useState(false);
  const { errorReport } = upload;
  const columns: Column<Failure>[] = [
    { key: 'row', label: 'Row', isNumber: true, width: 72, cell: ({ row }) => rowOf(row) },
    { key: 'email', label: 'Email', cell: ({ email }) => <Wrapping>{email || 'No email'}</Wrapping> },
    { key: 'error', label: 'Reason', cell: ({ error }) => <Wrapping>{error}</Wrapping> },
  ];
  return (
    <Stack gap="md">
      <ImportProgress item={upload} />
      {upload.status === 'processing' ? (
        <Text size="sm" c="dimmed">
          Accounts are being created. You can leave this page: it goes on by itself.
        </Text>
      ) : null}
      {errorReport.length > 0 ? (
        <>
          <DataTable
            label={`Records of ${upload.filename} that failed`}
            columns={columns}
            rows={showsAll ? errorReport : errorReport.slice(0, shownAtFirst)}
            keyOf={({ row }) => row.toString()}
          />
          <Group gap="sm">
            {!showsAll && errorReport.length > shownAtFirst ? (
              <Button variant="default" onClick={() => setShowsAll(true)}>
                Show all {errorReport.length}
              </Button>
            ) : null}
            <Button
              variant="default"
              leftSection={<Download size={16} aria-hidden />}
              onClick={() => downloadText(`errors-${upload.filename}`, errorReportCsv(errorReport, rowOf))}
            >
              Download error report
            </Button>
          </Group>
          <Text size="sm" c="dimmed">
            Correct these rows and upload the file again: people who already have an account are left as they are.
          </Text>
        </>
      ) : null}
    </Stack>
  );
}

function Wrapping({ children }: { children: string }) {
  return <span style={{ overflowWrap: 'anywhere' }}>{children}</span>;
}
