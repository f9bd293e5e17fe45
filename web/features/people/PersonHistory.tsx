import { Anchor, Card, Group, Select, Text, Title } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Banknote, Bell, BookOpen, type LucideIcon, UserRound, Users } from 'lucide-react';
import { useId, useState } from 'react';
import { type HistoryEntry, HistoryPart, historyParts, listPersonHistory } from '#contract/people.ts';
import { pagesFor } from '../../api/query-for.ts';
import { DateTime } from '../../ui/DateTime.tsx';
import { formatDay } from '../../ui/dates.ts';
import { LoadedRows } from '../../ui/Loaded.tsx';
import { NextPageButton } from '../../ui/NextPageButton.tsx';
import { historyInWords, partNames, partOf } from './history-words.ts';
import classes from './PersonHistory.module.css';
import { usePersonPlace } from './person-place.ts';

const everything = 'all';
const phone = '(max-width: 640px)';
const firstOnPhone = 12;

const icons: Record<HistoryPart, LucideIcon> = {
  learning: BookOpen,
  coaching: Users,
  pay: Banknote,
  notices: Bell,
  account: UserRound,
};

/** What happened with the person, day by day, latest first. */
export function PersonHistory({ personId }: { personId: string }) {
  const { place, change } = usePersonPlace();
  const list = useInfiniteQuery({
    ...pagesFor(listPersonHistory, { params: { id: personId }, query: { part: place.part } }),
    placeholderData: keepPreviousData,
  });
  // A phone begins with the latest. The rest of the first page needs no other reading.
  const isPhone = useMediaQuery(phone, false, { getInitialValueInEffect: false });
  const [isAllShown, setAllShown] = useState(false);
  const most = isPhone && !isAllShown ? firstOnPhone : Number.POSITIVE_INFINITY;
  const hasUnshown = (list.data?.pages ?? []).reduce((sum, { rows }) => sum + rows.length, 0) > most;
  const showAll = async () => setAllShown(true);
  return (
    <Card component="section" aria-labelledby="person-history">
      <Group justify="space-between" gap="sm" mb="md">
        <Title order={2} id="person-history">
          History
        </Title>
        <Select
          aria-label="Show"
          w={170}
          allowDeselect={false}
          data={[
            { value: everything, label: 'Everything' },
            ...historyParts.map((part) => ({ value: part, label: partNames[part] })),
          ]}
          value={place.part ?? everything}
          onChange={(part) => change({ part: HistoryPart.safeParse(part).data })}
        />
      </Group>
      <LoadedRows
        list={list}
        failure="The history could not be loaded"
        loading={{ label: 'Loading the history', rows: 6 }}
        empty={<Text c="dimmed">Nothing {place.part ? 'of this kind ' : ''}is on record yet.</Text>}
      >
        {(rows) => (
          <div>
            {daysOf(rows.slice(0, most)).map(({ day, entries }) => (
              <Day key={day} day={day} entries={entries} />
            ))}
          </div>
        )}
      </LoadedRows>
      <NextPageButton list={hasUnshown ? { ...list, hasNextPage: true, fetchNextPage: showAll } : list} mt="md">
        Show earlier
      </NextPageButton>
    </Card>
  );
}

interface DayOfHistory {
  day: string;
  entries: HistoryEntry[];
}

/** The entries are in their order, so those of a day follow each other. */
function daysOf(rows: readonly HistoryEntry[]): DayOfHistory[] {
  const days: DayOfHistory[] = [];
  for (const entry of rows) {
    const day = formatDay(entry.at, { withYear: true });
    const last = days.at(-1);
    if (last?.day === day) last.entries.push(entry);
    else days.push({ day, entries: [entry] });
  }
  return days;
}

function Day({ day, entries }: DayOfHistory) {
  const id = useId();
  return (
    <>
      <h3 id={id} className={classes.day}>
        {day}
      </h3>
      <ol className={classes.entries} aria-labelledby={`person-history ${id}`}>
        {entries.map((entry) => (
          <Entry key={entry.key} entry={entry} />
        ))}
      </ol>
    </>
  );
}

function Entry({ entry: { at, happened } }: { entry: HistoryEntry }) {
  const { title, note, to } = historyInWords(happened, at);
  const Icon = icons[partOf(happened)];
  return (
    <li className={classes.entry}>
      <span className={classes.mark}>
        <Icon size={15} aria-hidden />
      </span>
      {to ? (
        <Anchor component={Link} to={to} c="inherit" className={classes.title}>
          {title}
        </Anchor>
      ) : (
        <span className={classes.title}>{title}</span>
      )}
      <span className={classes.facts}>
        <span className={classes.time}>
          <DateTime value={at} isTimeAlone />
        </span>
        {note ? <span className={classes.note}>{note}</span> : null}
      </span>
    </li>
  );
}
