import { Alert, Button, Group, List, Stack, Text, Title } from '@mantine/core';
import { CircleAlert, UserPlus } from 'lucide-react';
import { bulkLimits } from '#contract/imports.ts';
import { type Column, DataTable } from '../../ui/DataTable.tsx';
import type { FileRecord, PeopleFile } from './parse-people-file.ts';

interface FilePreviewProps {
  file: PeopleFile;
  isSending: boolean;
  onUpload: () => void;
  onDiscard: () => void;
}

/** What the chosen file holds: its first good rows, its first errors, and the upload, which errors block (BULK-26 to BULK-29). */
export function FilePreview({ file, isSending, onUpload, onDiscard }: FilePreviewProps) {
  const { records, validRecords, errors } = file;
  const badRows = records.length - validRecords.length;
  return (
    <Stack gap="md">
      <Text style={{ overflowWrap: 'anywhere' }}>
        <b>{file.filename}</b>: {records.length} {records.length === 1 ? 'record' : 'records'}, {validRecords.length}{' '}
        ready{badRows > 0 ? `, ${badRows} with errors` : ''}.
      </Text>
      {errors.length > 0 ? <FileErrors errors={errors} /> : null}
      {validRecords.length > 0 ? (
        <Stack gap="xs">
          <Title order={3}>
            Preview{validRecords.length > bulkLimits.previewRows ? ` of the first ${bulkLimits.previewRows}` : ''}
          </Title>
          <DataTable
            label="Preview of the first valid rows"
            columns={columnsOf(validRecords)}
            rows={validRecords.slice(0, bulkLimits.previewRows)}
            keyOf={({ row }) => row.toString()}
          />
        </Stack>
      ) : null}
      <Group gap="sm">
        <Button
          leftSection={<UserPlus size={16} aria-hidden />}
          onClick={onUpload}
          loading={isSending}
          disabled={errors.length > 0}
          aria-describedby={errors.length > 0 ? 'upload-blocked' : undefined}
        >
          Create {records.length} {records.length === 1 ? 'user' : 'users'}
        </Button>
        <Button variant="default" onClick={onDiscard} disabled={isSending}>
          Remove file
        </Button>
      </Group>
      {errors.length > 0 ? (
        <Text size="sm" c="dimmed" id="upload-blocked">
          Nothing is uploaded while a row has an error. Correct the file and choose it again.
        </Text>
      ) : null}
    </Stack>
  );
}

function FileErrors({ errors }: Pick<PeopleFile, 'errors'>) {
  const listed = errors.slice(0, bulkLimits.listedErrors);
  const unlisted = errors.length - listed.length;
  return (
    <Alert color="red" icon={<CircleAlert size={18} aria-hidden />} title="Validation Errors Found" radius="lg">
      <List size="sm" aria-label="Validation errors" spacing={4} style={{ overflowWrap: 'anywhere' }}>
        {listed.map(({ row, message }) => (
          <List.Item key={`${row}-${message}`}>
            Row {row}: {message}
          </List.Item>
        ))}
      </List>
      {unlisted > 0 ? (
        <Text size="sm" mt="xs">
          And {unlisted} more.
        </Text>
      ) : null}
    </Alert>
  );
}

/** The optional columns show only where the file has something in them. */
function columnsOf(records: FileRecord[]): Column<FileRecord>[] {
  const labels = [
    ['first_name', 'First name'],
    ['last_name', 'Last name'],
    ['email', 'Email'],
    ['program', 'Program'],
    ['cohort', 'Cohort'],
    ['role', 'Role'],
    ['track_type', 'Track type'],
    ['coach_email', 'Coach email'],
  ] as const;
  return labels
    .filter(([key]) => records.some(({ record }) => record[key]))
    .map(([key, label]) => ({
      key,
      label,
      cell: ({ record }) => <span style={{ overflowWrap: 'break-word' }}>{record[key] ?? ''}</span>,
    }));
}
