import { Alert, Button, List, Text } from '@mantine/core';
import { CircleAlert, Download } from 'lucide-react';
import { bulkLimits } from '#contract/imports.ts';
import { downloadErrors, type ReportedRow } from './error-report.ts';

interface ListedErrorsProps {
  title: string;
  /** Names the list for people who cannot see it. */
  label: string;
  color: 'red' | 'yellow';
  filename: string;
  rows: ReportedRow[];
  /** Says what follows from the errors. */
  lead?: string;
}

/** Lists the first ten errors in file order, and offers all of them as a file (BULK-25, BULK-26). */
export function ListedErrors({ title, label, color, filename, rows, lead }: ListedErrorsProps) {
  const listed = rows.slice(0, bulkLimits.listedErrors);
  const unlisted = rows.length - listed.length;
  return (
    <Alert color={color} icon={<CircleAlert size={18} aria-hidden />} title={title} radius="lg">
      {lead ? (
        <Text size="sm" mb="xs">
          {lead}
        </Text>
      ) : null}
      <List size="sm" aria-label={label} spacing={4}>
        {listed.map(({ row, error }) => (
          <List.Item key={`${row}-${error}`}>
            Row {row}: {error}
          </List.Item>
        ))}
      </List>
      {unlisted > 0 ? (
        <Text size="sm" mt="xs">
          And {unlisted.toLocaleString('en-US')} more.
        </Text>
      ) : null}
      <Button
        variant="default"
        size="compact-sm"
        mt="sm"
        leftSection={<Download size={15} aria-hidden />}
        onClick={() => downloadErrors(filename, rows)}
      >
        Download all {rows.length}
      </Button>
    </Alert>
  );
}
