import { Anchor, Button, Stack, Text, VisuallyHidden } from '@mantine/core';
import { useState } from 'react';
import type { AuditEntry } from '#contract/audit.ts';
import { DataTable } from '../../ui/DataTable.tsx';
import { formatDay, formatLocalTime, formatTime } from '../../ui/dates.ts';
import { actionInWords, changesOf, kindInWords } from './audit-words.ts';

interface AuditTableProps {
  rows: AuditEntry[];
  names: Record<string, string>;
  onPerson: (personId: string) => void;
  onSubject: (subjectId: string) => void;
}

const shownAtFirst = 6;

export function AuditTable({ rows, names, onPerson, onSubject }: AuditTableProps) {
  return (
    <DataTable
      label="Audit log"
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        { key: 'at', label: 'When', width: 130, cell: ({ at }) => <When at={at} /> },
        { key: 'actor', label: 'Who', width: 190, cell: ({ actor }) => <Who actor={actor} onPerson={onPerson} /> },
        { key: 'what', label: 'What', width: 240, cell: (row) => <What entry={row} onSubject={onSubject} /> },
        { key: 'changes', label: 'Changes', cell: (row) => <Changes entry={row} names={names} /> },
      ]}
    />
  );
}

/** Shows the year, because the log goes back further than any other list. */
function When({ at }: { at: string }) {
  return (
    <time dateTime={at} title={formatLocalTime(at) ?? undefined}>
      <Text size="sm" component="span" display="block" style={{ whiteSpace: 'nowrap' }}>
        {formatDay(at, { withYear: true })}
      </Text>
      <Text size="sm" c="dimmed" component="span" display="block">
        {formatTime(at)}
      </Text>
    </time>
  );
}

function Who({ actor, onPerson }: { actor: AuditEntry['actor']; onPerson: AuditTableProps['onPerson'] }) {
  if (!actor) return <Text size="sm">Switchyard itself</Text>;
  return (
    <Stack gap={2} align="flex-start">
      <Narrow label={actor.name} meaning={`Only entries of ${actor.name}`} onPress={() => onPerson(actor.id)} />
      <Text size="sm" c="dimmed">
        {actor.email}
      </Text>
    </Stack>
  );
}

function What({ entry, onSubject }: { entry: AuditEntry; onSubject: AuditTableProps['onSubject'] }) {
  const { action, kind, subjectId, subjectName } = entry;
  const name = subjectName ?? `${kindInWords(kind)} that no longer exists`;
  return (
    <Stack gap={2} align="flex-start">
      <Text size="sm" fw={600}>
        {actionInWords(action)}
      </Text>
      <Narrow label={name} meaning={`Only entries about ${name}`} onPress={() => onSubject(subjectId)} />
    </Stack>
  );
}

/** Part of an entry that leads to more entries of its kind. */
function Narrow({ label, meaning, onPress }: { label: string; meaning: string; onPress: () => void }) {
  return (
    <Anchor component="button" type="button" size="sm" ta="start" py={2} title={meaning} onClick={onPress}>
      {label}
    </Anchor>
  );
}

function Changes({ entry, names }: { entry: AuditEntry; names: Record<string, string> }) {
  const [isWhole, setWhole] = useState(false);
  const changes = changesOf(entry, names);
  const shown = isWhole ? changes : changes.slice(0, shownAtFirst);
  if (changes.length === 0 && !entry.reason) {
    return (
      <Text size="sm" c="dimmed">
        No more details
      </Text>
    );
  }
  return (
    <Stack gap={2} align="flex-start">
      {shown.map(({ label, from, to }) => (
        <Text key={label} size="sm">
          <Text span inherit c="dimmed">
            {label}:
          </Text>{' '}
          {from === null ? to : <FromTo from={from} to={to} />}
        </Text>
      ))}
      {entry.reason ? (
        <Text size="sm" style={{ whiteSpace: 'pre-wrap' }}>
          <Text span inherit c="dimmed">
            Reason:
          </Text>{' '}
          {entry.reason}
        </Text>
      ) : null}
      {shown.length < changes.length || isWhole ? (
        <Button variant="subtle" size="compact-sm" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Show less' : `Show all ${changes.length}`}
        </Button>
      ) : null}
    </Stack>
  );
}

function FromTo({ from, to }: { from: string; to: string }) {
  return (
    <>
      {from} <span aria-hidden>→</span>
      <VisuallyHidden> became </VisuallyHidden> <b>{to}</b>
    </>
  );
}
