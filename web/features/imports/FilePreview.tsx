import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { UserPlus } from 'lucide-react';
import { bulkLimits } from '#contract/imports.ts';
import { counted } from '../../ui/counted.ts';
import { type Column, DataTable } from '../../ui/DataTable.tsx';
import wrapping from '../../ui/wrapping.module.css';
import { ListedErrors } from './ListedErrors.tsx';
import type { FileRecord, PeopleFile } from './parse-people-file.ts';
import { UploadPlan, useUploadPlan } from './UploadPlan.tsx';

interface FilePreviewProps {
  file: PeopleFile;
  /** Counts the choices, because the same file chosen again is a new one. */
  choice: number;
  isSending: boolean;
  onUpload: () => void;
  onDiscard: () => void;
}

/** Shows the file's first good rows, its first errors, and the upload, which errors block (BULK-26 to BULK-29). */
export function FilePreview({ file, choice, isSending, onUpload, onDiscard }: FilePreviewProps) {
  const { filename, records, validRecords, errors } = file;
  const plan = useUploadPlan(file, choice);
  const leftOut = plan.data?.leftOut.length ?? 0;
  const creatable = validRecords.length - leftOut;
  const obstacle = obstacleOf(errors.length > 0, creatable);
  const badRows = records.length - validRecords.length;
  return (
    <Stack gap="md">
      <Text>
        <b>{filename}</b>: {counted(records.length, 'record')}, {validRecords.length.toLocaleString('en-US')} ready
        {badRows > 0 ? `, ${badRows.toLocaleString('en-US')} with errors` : ''}.
      </Text>
      {errors.length > 0 ? (
        <ListedErrors
          title="Validation Errors Found"
          label="Validation errors"
          color="red"
          filename={filename}
          rows={errors.map(({ row, email, message }) => ({ row, email, error: message }))}
        />
      ) : null}
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
      <UploadPlan plan={plan} file={file} />
      <Group gap="sm">
        <Button
          leftSection={<UserPlus size={16} aria-hidden />}
          onClick={onUpload}
          loading={isSending}
          disabled={obstacle !== null}
          aria-describedby={obstacle ? 'upload-blocked' : undefined}
        >
          {errors.length > 0 ? labelOf(records.length) : labelOf(creatable)}
        </Button>
        <Button variant="default" onClick={onDiscard} disabled={isSending}>
          Remove file
        </Button>
      </Group>
      {obstacle ? (
        <Text size="sm" c="dimmed" id="upload-blocked">
          {obstacle}
        </Text>
      ) : null}
    </Stack>
  );
}

function labelOf(count: number): string {
  return `Create ${counted(count, 'user')}`;
}

function obstacleOf(hasErrors: boolean, creatable: number): string | null {
  if (hasErrors) return 'Nothing is uploaded while a row has an error. Correct the file and choose it again.';
  return creatable === 0 ? 'Every row would be left out: there is nobody to create.' : null;
}

type Field = keyof FileRecord['record'];

const labels = [
  ['first_name', 'First name'],
  ['last_name', 'Last name'],
  ['email', 'Email'],
  ['program', 'Program'],
  ['cohort', 'Cohort'],
  ['role', 'Role'],
  ['track_type', 'Track type'],
  ['coach_email', 'Coach email'],
  ['phone', 'Phone'],
] as const satisfies [Field, string][];

/** An optional column shows only if the file has something in it. */
function columnsOf(records: FileRecord[]): Column<FileRecord>[] {
  return labels
    .filter(([key]) => records.some(({ record }) => record[key]))
    .map(([key, label]) => ({
      key,
      label,
      cell: ({ record }) => (breakable.includes(key) ? record[key] : <Whole>{record[key]}</Whole>),
      ...(key === 'email' ? { width: 190 } : {}),
      ...onPhone[key],
    }));
}

/** What people made up may be of any length. The other values are short. */
const breakable: Field[] = ['first_name', 'last_name', 'email', 'coach_email'];

function Whole({ children }: { children: string | undefined }) {
  return <span className={wrapping.wholeWords}>{children}</span>;
}

type OnPhone = Pick<Column<FileRecord>, 'onPhone' | 'cellOnPhone'>;

/** On a phone the name and the role come first. Below them are the other values, and none is cut. */
const onPhone: Partial<Record<Field, OnPhone>> = {
  first_name: {
    onPhone: 'first',
    cellOnPhone: ({ record }) => <b>{`${record.first_name} ${record.last_name}`.trim()}</b>,
  },
  role: { onPhone: 'firstEnd' },
  email: {
    onPhone: 'secondRest',
    cellOnPhone: ({ record }) => (
      <>
        <Text size="sm">{record.email}</Text>
        <Text size="sm" c="dimmed">
          {labels
            .filter(([key]) => !['first_name', 'last_name', 'email', 'role'].includes(key) && record[key])
            .map(([key, label]) => `${label}: ${record[key]}`)
            .join(' · ')}
        </Text>
      </>
    ),
  },
};
