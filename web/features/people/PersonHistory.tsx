import { Anchor, Card, Group, Select, Stack, Text, Title } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Banknote, Bell, BookOpen, type LucideIcon, UserRound, Users } from 'lucide-react';
import { type HistoryEntry, HistoryPart, historyParts, listPersonHistory } from '#contract/people.ts';
import { pagesFor } from '../../api/query-for.ts';
import { DateTime } from '../../ui/DateTime.tsx';
import { LoadedRows } from '../../ui/Loaded.tsx';
import { NextPageButton } from '../../ui/NextPageButton.tsx';
import { historyInWords, partNames, partOf } from './history-words.ts';
import classes from './PersonHistory.module.css';
import { usePersonPlace } from './person-place.ts';

const everything = 'all';

const icons: Record<HistoryPart, LucideIcon> = {
  learning: BookOpen,
  coaching: Users,
  pay: Banknote,
  notices: Bell,
  account: UserRound,
};

/** What happened with the person, latest first. */
export function PersonHistory({ personId }: { personId: string }) {
  const { place, change } = usePersonPlace();
  const list = useInfiniteQuery({
    ...pagesFor(listPersonHistory, { params: { id: personId }, query: { part: place.part } }),
    placeholderData: keepPreviousData,
  });
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
          <ol className={classes.line} aria-label="History">
            {rows.map((entry) => (
              <Entry key={entry.key} entry={entry} />
            ))}
          </ol>
        )}
      </LoadedRows>
      <NextPageButton list={list} mt="md">
        Show earlier
      </NextPageButton>
    </Card>
  );
}

function Entry({ entry: { at, happened } }: { entry: HistoryEntry }) {
  const { title, note, to } = historyInWords(happened);
  const Icon = icons[partOf(happened)];
  return (
    <li className={classes.entry}>
      <span className={classes.mark}>
        <Icon size={15} aria-hidden />
      </span>
      <Stack gap={0}>
        {to ? (
          <Anchor component={Link} to={to} fw={550} c="inherit" className={classes.title}>
            {title}
          </Anchor>
        ) : (
          <Text fw={550} className={classes.title}>
            {title}
          </Text>
        )}
        <Text size="sm" c="dimmed">
          <DateTime value={at} />
          {note ? ` · ${note}` : ''}
        </Text>
      </Stack>
    </li>
  );
}
