import { Anchor, Card, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import { isMissing } from '../../api/api-error.ts';
import { paths } from '../../app/paths.ts';
import { formatDateTime } from '../../ui/dates.ts';
import { Loaded } from '../../ui/Loaded.tsx';
import { NotFound } from '../../ui/NotFound.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import type { ImportDetail } from './error-report.ts';
import { ImportActions } from './ImportActions.tsx';
import { ImportProgress, ImportStatus } from './ImportProgress.tsx';
import { importQuery } from './ImportReport.tsx';
import { ImportRows } from './ImportRows.tsx';
import { useImportPlace } from './import-place.ts';

/** One upload: how it went, every row with its result, and what an admin can still do about it. */
export function ImportPage() {
  const { importId, place, change } = useImportPlace();
  const upload = useQuery(importQuery(importId));
  if (!upload.data && isMissing(upload.error)) {
    return (
      <NotFound thing="Import" back={{ to: paths.bulkInvitations, label: 'Go to Bulk User Creation' }}>
        There is no import at this address.
      </NotFound>
    );
  }
  return (
    <>
      <Anchor component={Link} to={paths.bulkInvitations} size="sm" mb="xs" display="inline-flex">
        <ArrowLeft size={16} aria-hidden style={{ marginRight: 6, marginTop: 3 }} />
        Bulk User Creation
      </Anchor>
      <PageHeader title={upload.data?.filename ?? 'Import'} lead={upload.data ? leadOf(upload.data) : undefined} />
      <Loaded read={upload} failure="The import could not be loaded" loading={{ label: 'Loading the import', rows: 4 }}>
        {(data) => (
          <Stack gap="lg">
            <Card component="section" aria-label="Result">
              <Stack gap="md">
                <Group gap="xs">
                  <ImportStatus status={data.status} isUndone={data.undoneAt !== null} />
                  {data.failedRecords > 0 ? (
                    <StatusBadge tone="warning">{data.failedRecords.toLocaleString('en-US')} failed</StatusBadge>
                  ) : null}
                </Group>
                <ImportProgress item={data} />
                {data.undoneAt !== null ? (
                  <Text>Undone {formatDateTime(data.undoneAt)}: the accounts below are gone.</Text>
                ) : null}
                <ImportActions upload={data} />
              </Stack>
            </Card>
            <ImportRows upload={data} place={place} onChange={change} />
          </Stack>
        )}
      </Loaded>
    </>
  );
}

function leadOf({ createdAt, createdBy }: ImportDetail): string {
  return `Uploaded ${formatDateTime(createdAt)} by ${createdBy.firstName} ${createdBy.lastName}`;
}
