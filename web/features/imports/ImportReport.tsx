import { Anchor, Stack, Text } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { readImport } from '#contract/import-results.ts';
import { bulkLimits } from '#contract/imports.ts';
import { queryFor } from '../../api/query-for.ts';
import { paths } from '../../app/paths.ts';
import { type Column, DataTable } from '../../ui/DataTable.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import type { ImportDetail } from './error-report.ts';
import { ImportProgress } from './ImportProgress.tsx';
import { InFull } from './InFull.tsx';

type Failure = ImportDetail['errorReport'][number];

const lookAgainInMs = 3_000;

/** An upload, live while it runs. */
export function importQuery(importId: string) {
  return queryOptions({
    ...queryFor(readImport, { params: { id: importId } }),
    // Live news report a change at once. This is for a browser that cannot hold the stream open.
    refetchInterval: ({ state }) => (state.data?.status === 'processing' ? lookAgainInMs : false),
  });
}

/** How an upload went: the counts, and the first failed records with their reasons (BULK-37). */
export function ImportReport({ importId }: { importId: string }) {
  const upload = useQuery(importQuery(importId));
  return (
    <Loaded read={upload} failure="The result could not be loaded" loading={{ label: 'Loading the result', rows: 3 }}>
      {(upload) => <LoadedReport upload={upload} />}
    </Loaded>
  );
}

function LoadedReport({ upload }: { upload: ImportDetail }) {
  const { id, filename, errorReport } = upload;
  const listed = errorReport.slice(0, bulkLimits.listedErrors);
  return (
    <Stack gap="md">
      <ImportProgress item={upload} />
      {upload.status === 'processing' ? (
        <Text size="sm" c="dimmed">
          Accounts are being created. You can leave this page: it goes on by itself.
        </Text>
      ) : null}
      {listed.length > 0 ? (
        <DataTable
          label={`Records of ${filename} that failed`}
          columns={columns}
          rows={listed}
          keyOf={({ row }) => row.toString()}
        />
      ) : null}
      <Anchor component={Link} to={paths.import(id)} w="fit-content">
        {errorReport.length > listed.length
          ? `All ${errorReport.length.toLocaleString('en-US')} errors and every row`
          : 'Every row and invitation'}
      </Anchor>
    </Stack>
  );
}

/** Neither the address nor the reason is cut. */
const columns: Column<Failure>[] = [
  {
    key: 'row',
    label: 'Row',
    isNumber: true,
    width: 72,
    onPhone: 'firstEnd',
    cellOnPhone: ({ fileRow }) => `Row ${fileRow}`,
    cell: ({ fileRow }) => fileRow,
  },
  {
    key: 'email',
    label: 'Email',
    onPhone: 'first',
    cellOnPhone: ({ email }) => <InFull isStrong>{email || 'No email'}</InFull>,
    cell: ({ email }) => email || 'No email',
  },
  { key: 'error', label: 'Reason', onPhone: 'secondRest', cell: ({ error }) => error },
];
