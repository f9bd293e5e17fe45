import { Anchor, Button, Group, Menu, Stack, Text, VisuallyHidden } from '@mantine/core';
import { useState } from 'react';
import type { AuditEntry } from '#contract/audit.ts';
import { DataTable } from '../../ui/DataTable.tsx';
import { formatDay, formatLocalTime, formatTime } from '../../ui/dates.ts';
import { RowMenu } from '../../ui/RowMenu.tsx';
import { TitleOnPhone, TwoLines } from '../../ui/TwoLines.tsx';
import { actionInWords, changesOf, kindInWords } from './audit-words.ts';

interface AuditTableProps {
  rows: AuditEntry[];
  names: Record<string, string>;
  onPerson: (personId: string) => void;
  onSubject: (subjectId: string) => void;
}

const shownAtFirst = 6;

/** On a phone an entry has two lines, and its changes below them on demand. */
export function AuditTable({ rows, names, onPerson, onSubject }: AuditTableProps) {
  const [opened, setOpened] = useState<string[]>([]);
  const toggle = (id: string) =>
    setOpened((before) => (before.includes(id) ? before.filter((other) => other !== id) : [...before, id]));
  return (
    <DataTable
      label="Audit log"
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        {
          key: 'at',
          label: 'When',
          width: 130,
          onPhone: 'secondRest',
          cell: ({ at }) => <When at={at} />,
          cellOnPhone: (row) => <NameAndActor entry={row} />,
        },
        {
          key: 'actor',
          label: 'Who',
          width: 190,
          onPhone: 'firstEnd',
          cell: ({ actor }) => <Who actor={actor} onPerson={onPerson} />,
          cellOnPhone: (row) => (
            <ActsOnPhone
              entry={row}
              isOpen={opened.includes(row.id)}
              onToggle={() => toggle(row.id)}
              onPerson={onPerson}
              onSubject={onSubject}
            />
          ),
        },
        {
          key: 'what',
          label: 'What',
          width: 240,
          onPhone: 'first',
          cell: (row) => <What entry={row} onSubject={onSubject} />,
          cellOnPhone: ({ action }) => <TitleOnPhone>{actionInWords(action)}</TitleOnPhone>,
        },
        {
          key: 'changes',
          label: 'Changes',
          onPhone: 'below',
          cell: (row) => <Changes entry={row} names={names} />,
          cellOnPhone: (row) => (opened.includes(row.id) ? <Changes entry={row} names={names} /> : null),
        },
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
  const { action, subjectId } = entry;
  const name = nameOfSubject(entry);
  return (
    <Stack gap={2} align="flex-start">
      <Text size="sm" fw={600}>
        {actionInWords(action)}
      </Text>
      <Narrow label={name} meaning={`Only entries about ${name}`} onPress={() => onSubject(subjectId)} />
    </Stack>
  );
}

function nameOfSubject({ kind, subjectName }: AuditEntry): string {
  return subjectName ?? `${kindInWords(kind)} that no longer exists`;
}

function NameAndActor({ entry }: { entry: AuditEntry }) {
  const { actor, at } = entry;
  return (
    <TwoLines
      first={nameOfSubject(entry)}
      second={`${formatDay(at, { withYear: true })}, ${formatTime(at)} · ${actor?.name ?? 'Switchyard itself'}`}
    />
  );
}

interface ActsOnPhoneProps extends Pick<AuditTableProps, 'onPerson' | 'onSubject'> {
  entry: AuditEntry;
  isOpen: boolean;
  onToggle: () => void;
}

function ActsOnPhone({ entry, isOpen, onToggle, onPerson, onSubject }: ActsOnPhoneProps) {
  const { action, actor, subjectId } = entry;
  const name = nameOfSubject(entry);
  const words = `${actionInWords(action)}: ${name}`;
  return (
    <Group gap={6} wrap="nowrap">
      <Button
        variant="default"
        size="compact-sm"
        aria-expanded={isOpen}
        aria-label={`Details of ${words}`}
        onClick={onToggle}
      >
        Details
      </Button>
      <RowMenu name={words}>
        {actor ? <Menu.Item onClick={() => onPerson(actor.id)}>Only entries of {actor.name}</Menu.Item> : null}
        <Menu.Item onClick={() => onSubject(subjectId)}>Only entries about {name}</Menu.Item>
      </RowMenu>
    </Group>
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
