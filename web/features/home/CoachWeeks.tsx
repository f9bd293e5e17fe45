import { Anchor, Box, Group, Stack, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react';
import { specifiedCalendar } from '#contract/default-programme.ts';
import { type CoachWeekRow, listCoachWeeks } from '#contract/programme-figures.ts';
import { pagesFor } from '../../api/query-for.ts';
import { paths } from '../../app/paths.ts';
import { LoadedRows } from '../../ui/Loaded.tsx';
import { NextPageButton } from '../../ui/NextPageButton.tsx';
import { EmptyState } from '../../ui/states.tsx';
import classes from './CoachWeeks.module.css';
import { nextCell } from './week-grid-keys.ts';

type Week = CoachWeekRow['weeks'][number];

const weekNumbers = Array.from({ length: specifiedCalendar.weeks }, (_, index) => index + 1);

/** How do my people's weeks go? Each cell is a week, with its words on demand. */
export function CoachWeeks() {
  const list = useInfiniteQuery(pagesFor(listCoachWeeks, { query: {} }));
  return (
    <LoadedRows
      list={list}
      failure="The weeks could not be loaded"
      loading={{ label: 'Loading the weeks', rows: 6 }}
      empty={<EmptyState title="No weeks yet">The weeks of your participants will be here.</EmptyState>}
    >
      {(people) => (
        <Stack gap="sm">
          <WeekGrid people={people} />
          <NextPageButton list={list} />
        </Stack>
      )}
    </LoadedRows>
  );
}

interface Chosen {
  person: CoachWeekRow;
  week: Week;
}

function WeekGrid({ people }: { people: CoachWeekRow[] }) {
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const first = people.find(({ weeks }) => weeks.length > 0);
  const isChosen = (person: CoachWeekRow, { weekNumber }: Week) =>
    chosen
      ? chosen.person.id === person.id && chosen.week.weekNumber === weekNumber
      : person === first && weekNumber === first.weeks[0]?.weekNumber;
  const latest = Math.max(0, ...people.flatMap(({ weeks }) => weeks.map(({ weekNumber }) => weekNumber)));
  const frame = useRef<HTMLDivElement>(null);
  const latestHead = useRef<HTMLTableCellElement>(null);
  useLayoutEffect(() => {
    if (!frame.current || !latestHead.current) return;
    const beyond = latestHead.current.getBoundingClientRect().right - frame.current.getBoundingClientRect().right;
    if (beyond > 0) frame.current.scrollLeft += Math.ceil(beyond);
  }, []);
  const move = (event: KeyboardEvent<HTMLTableElement>) => {
    const next = nextCell(event.currentTarget, event.key);
    if (!next) return;
    event.preventDefault();
    next.focus();
  };
  return (
    <>
      <Words chosen={chosen} hasWeeks={first !== undefined} />
      <Box ref={frame} className={classes.frame}>
        {/* Keys move the focus from cell to cell, so that the grid is one stop of the Tab key. */}
        <Box
          component="table"
          role="grid"
          aria-label="Weeks of your participants"
          className={classes.grid}
          onKeyDown={move}
        >
          <thead>
            <tr>
              <th scope="col">Participant</th>
              {weekNumbers.map((week) => (
                <th key={week} ref={week === latest ? latestHead : null} scope="col" aria-label={`Week ${week}`}>
                  {week}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {people.map((person) => (
              <tr key={person.id}>
                <th scope="row">
                  <Anchor component={Link} to={paths.person(person.id)} size="sm" c="inherit" fw={550} py={4}>
                    {person.firstName} {person.lastName}
                  </Anchor>
                </th>
                {weekNumbers.map((weekNumber) => {
                  const week = person.weeks.find((each) => each.weekNumber === weekNumber);
                  return (
                    <td key={weekNumber}>
                      {week ? (
                        <Cell
                          person={person}
                          week={week}
                          isInTabOrder={isChosen(person, week)}
                          onChoose={() => setChosen({ person, week })}
                        />
                      ) : null}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </Box>
      </Box>
      <Text size="sm" c="dimmed">
        Above: the week as a whole. Below: attendance, work, rating. {legend}
      </Text>
    </>
  );
}

/**
 * A cell is one element and its text, because forty people have hundreds of weeks. Only a part that stands otherwise than
 * its week is an element too, in its own color.
 */
interface CellProps extends Chosen {
  isInTabOrder: boolean;
  onChoose: () => void;
}

function Cell({ person, week, isInTabOrder, onChoose }: CellProps) {
  const { standing, criteria } = week;
  return (
    <button
      type="button"
      className={classes.cell}
      data-tone={standing.color}
      tabIndex={isInTabOrder ? 0 : -1}
      aria-label={inWords({ person, week })}
      onFocus={onChoose}
      onMouseEnter={onChoose}
      onClick={onChoose}
    >
      {symbolOf(standing)}
      {'\n'}
      {criteria.map((criterion, place) =>
        criterion.color === standing.color ? (
          symbolOf(criterion)
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: The criteria are always in the order of the rules.
          <span key={place} data-tone={criterion.color}>
            {symbolOf(criterion)}
          </span>
        ),
      )}
    </button>
  );
}

const symbols: Record<string, string> = {
  paid: '$',
  sent: '$',
  approved: '✓',
  met: '✓',
  so_far: '○',
  waiting_for_rating: '?',
  out_of_reach: '!',
  not_met: '✕',
  denied: '∅',
  not_counted: '–',
};
function symbolOf({ state }: { state: string }): string {
  return symbols[state] ?? '·';
}

const legend =
  '✓ met or approved, $ paid or sent, ○ so far, ? waits for your rating, ! not on track, ✕ not met, ∅ denied.';

function Words({ chosen, hasWeeks }: { chosen: Chosen | null; hasWeeks: boolean }) {
  return (
    <Group className={classes.words} justify="space-between" gap="xs" align="flex-start">
      {chosen ? (
        <>
          <Text size="sm" flex={1} miw={220}>
            {inWords(chosen)}
          </Text>
          <Anchor component={Link} to={paths.stipendsOf(chosen.person.id)} size="sm" py={2}>
            Weeks of {chosen.person.firstName} {chosen.person.lastName}
          </Anchor>
        </>
      ) : (
        <Text size="sm" c="dimmed">
          {hasWeeks
            ? 'Point at a week, tap it, or go to it with the arrow keys. It then says how it stands.'
            : 'No week is calculated yet.'}
        </Text>
      )}
    </Group>
  );
}

function inWords({ person, week: { weekNumber, standing, criteria, pay } }: Chosen): string {
  const parts = criteria.map(({ label }) => label).join(', ');
  const payment = pay.label === standing.label ? '' : ` Pay: ${pay.label}.`;
  return `${person.firstName} ${person.lastName}, week ${weekNumber}: ${standing.label}. ${parts}.${payment}`;
}
