import { Anchor, Box, Button, Group, Menu, Stack, Text, VisuallyHidden } from '@mantine/core';
import { useState } from 'react';
import type { AuditEntry } from '#contract/audit.ts';
import { DataTable } from '../../ui/DataTable.tsx';
import { formatDay, formatLocalTime, formatTime } from '../../ui/dates.ts';
import { DetailsButton, useOpenRows } from '../../ui/RowDetails.tsx';
import { RowMenu } from '../../ui/RowMenu.tsx';
import { Facts, TitleOnPhone, TwoLines } from '../../ui/TwoLines.tsx';
import { actionInWords, type Change, changesOf, kindInWords } from './audit-words.ts';

interface AuditTableProps {
  rows: AuditEntry[];
  names: Record<string, string>;
  onPerson: (personId: string) => void;
  onSubject: (subjectId: string) => void;
}

const shownAtFirst = 6;

/** An entry has two lines. The changes that they have no room for open on demand. */
export function AuditTable({ rows, names, onPerson, onSubject }: AuditTableProps) {
  const { isOpen, toggle } = useOpenRows();
  return (
    <DataTable
      label="Audit log"
      rows={rows}
      keyOf={({ id }) => id}
      minWidth={880}
      columns={[
        {
          key: 'at',
          label: 'When',
          width: 140,
          onPhone: 'secondRest',
          cell: ({ at }) => <When at={at} />,
          cellOnPhone: (row) => <NameAndActor entry={row} />,
        },
        {
          key: 'actor',
          label: 'Who',
          width: 180,
          cell: ({ actor }) => <Who actor={actor} onPerson={onPerson} />,
        },
        {
          key: 'what',
          label: 'What',
          width: 250,
          onPhone: 'first',
          cell: (row) => <What entry={row} onSubject={onSubject} />,
          cellOnPhone: ({ action }) => <TitleOnPhone>{actionInWords(action)}</TitleOnPhone>,
        },
        {
          key: 'changes',
          label: 'Changes',
          onPhone: 'below',
          cell: (row) =>
            isOpen(row.id) ? <Changes entry={row} names={names} /> : <Summary entry={row} names={names} />,
          cellOnPhone: (row) => (isOpen(row.id) ? <Changes entry={row} names={names} /> : null),
        },
        {
          key: 'details',
          label: 'Details',
          width: 92,
          onPhone: 'firstEnd',
          cell: (row) =>
            hasDetails(row) ? (
              <DetailsButton of={inWords(row)} isOpen={isOpen(row.id)} onToggle={() => toggle(row.id)} />
            ) : null,
          cellOnPhone: (row) => (
            <ActsOnPhone
              entry={row}
              isOpen={isOpen(row.id)}
              onToggle={() => toggle(row.id)}
              onPerson={onPerson}
              onSubject={onSubject}
            />
          ),
        },
      ]}
    />
  );
}

/** Shows the year, because the log goes back further than any other list. */
function When({ at }: { at: string }) {
  return (
    <Box component="time" display="block" dateTime={at} title={formatLocalTime(at) ?? undefined}>
      <TwoLines first={formatDay(at, { withYear: true })} second={formatTime(at)} />
    </Box>
  );
}

function Who({ actor, onPerson }: { actor: AuditEntry['actor']; onPerson: AuditTableProps['onPerson'] }) {
  if (!actor) return <TwoLines first="Switchyard itself" />;
  return (
    <TwoLines
      first={<Narrow label={actor.name} meaning={`Only entries of ${actor.name}`} onPress={() => onPerson(actor.id)} />}
      second={actor.email}
    />
  );
}

function What({ entry, onSubject }: { entry: AuditEntry; onSubject: AuditTableProps['onSubject'] }) {
  const { action, subjectId } = entry;
  const name = nameOfSubject(entry);
  return (
    <>
      <TwoLines first={<b title={actionInWords(action)}>{actionInWords(action)}</b>} />
      <TwoLines
        first={<Narrow label={name} meaning={`Only entries about ${name}`} onPress={() => onSubject(subjectId)} />}
      />
    </>
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
  const { actor, subjectId } = entry;
  return (
    <Group gap={6} wrap="nowrap">
      <DetailsButton of={inWords(entry)} isOpen={isOpen} onToggle={onToggle} />
      <RowMenu name={inWords(entry)}>
        {actor ? <Menu.Item onClick={() => onPerson(actor.id)}>Only entries of {actor.name}</Menu.Item> : null}
        <Menu.Item onClick={() => onSubject(subjectId)}>Only entries about {nameOfSubject(entry)}</Menu.Item>
      </RowMenu>
    </Group>
  );
}

function inWords(entry: AuditEntry): string {
  return `${actionInWords(entry.action)}: ${nameOfSubject(entry)}`;
}

/** Part of an entry that leads to more entries of its kind. */
function Narrow({ label, meaning, onPress }: { label: string; meaning: string; onPress: () => void }) {
  return (
    <Anchor component="button" type="button" ta="start" title={meaning} onClick={onPress}>
      {label}
    </Anchor>
  );
}

function hasDetails({ before, after, reason }: AuditEntry): boolean {
  return Boolean(reason) || Object.keys({ ...before, ...after }).length > 0;
}

interface ChangesProps {
  entry: AuditEntry;
  names: Record<string, string>;
}

/** The first changes in one line, and the reason in another. What names the subject stands beside it already. */
function Summary({ entry, names }: ChangesProps) {
  if (!hasDetails(entry)) return <Facts>No more details</Facts>;
  const changes = changesOf(entry, names);
  const others = changes.filter(({ to }) => to !== entry.subjectName);
  return (
    <>
      <Facts>
        {(others.length > 0 ? others : changes).slice(0, shownAtFirst).map((change) => (
          <ChangeInWords key={change.label} change={change} />
        ))}
      </Facts>
      <Facts>{entry.reason ? <Reason>{entry.reason}</Reason> : null}</Facts>
    </>
  );
}

function Changes({ entry, names }: ChangesProps) {
  const [isWhole, setWhole] = useState(false);
  const changes = changesOf(entry, names);
  const shown = isWhole ? changes : changes.slice(0, shownAtFirst);
  if (!hasDetails(entry)) {
    return (
      <Text size="sm" c="dimmed">
        No more details
      </Text>
    );
  }
  return (
    <Stack gap={2} align="flex-start" data-whole>
      {shown.map((change) => (
        <Text key={change.label} size="sm" component="div">
          <ChangeInWords change={change} />
        </Text>
      ))}
      {entry.reason ? (
        <Text size="sm" component="div" style={{ whiteSpace: 'pre-wrap' }}>
          <Reason>{entry.reason}</Reason>
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

function ChangeInWords({ change: { label, from, to } }: { change: Change }) {
  return (
    <Text inherit component="div" c="var(--mantine-color-text)">
      <Text span inherit c="dimmed">
        {label}:
      </Text>{' '}
      {from === null ? to : <FromTo from={from} to={to} />}
    </Text>
  );
}

function Reason({ children }: { children: string }) {
  return (
    <Text inherit component="div" c="var(--mantine-color-text)">
      <Text span inherit c="dimmed">
        Reason:
      </Text>{' '}
      {children}
    </Text>
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
