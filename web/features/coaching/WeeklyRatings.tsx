import { Card, Group, Select, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { z } from 'zod';
import { listWeeklyRatings } from '#contract/coaching.ts';
import { specifiedCalendar } from '#contract/default-programme.ts';
import { listRatedWeeks } from '#contract/rated-weeks.ts';
import { queryFor } from '../../api/query-for.ts';
import { Loaded, ReadFailure } from '../../ui/Loaded.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { useDensity } from '../../ui/use-density.ts';
import { useTouched } from '../../ui/use-touched.ts';
import { useUnsavedChanges } from '../../ui/use-unsaved-changes.tsx';
import { useUnsavedParts } from '../../ui/use-unsaved-parts.ts';
import { WeeklyRatingRow } from './WeeklyRatingRow.tsx';
import classes from './WeeklyRatings.module.css';

const RatingPlace = z.object({
  ratingWeek: z.coerce.number().int().min(1).max(specifiedCalendar.weeks).optional().catch(undefined),
});
const current = 'current';
const weekOptions = [
  { value: current, label: 'Current week' },
  ...Array.from({ length: specifiedCalendar.weeks }, (_, index) => ({
    value: String(index + 1),
    label: `Week ${index + 1}`,
  })),
];

/** The performance of the coach's own participants, week by week. Stipends rest on it (STIP-33). */
export function WeeklyRatings() {
  const { ratingWeek } = RatingPlace.parse(useSearch({ strict: false }));
  const navigate = useNavigate();
  const ratings = useQuery(queryFor(listWeeklyRatings, { query: { week: ratingWeek } }));
  const rated = useQuery(queryFor(listRatedWeeks, { query: { week: ratingWeek } }));
  const weeks = new Map(rated.data?.weeks.map((week) => [keyOf(week), week]));
  const [density] = useDensity();
  const isTouched = useTouched();
  const { isAnyUnsaved, tellUnsaved } = useUnsavedParts();
  const { question } = useUnsavedChanges(isAnyUnsaved, { loss: 'A rating that you typed is not saved.' });
  const choose = (chosen: string | null) =>
    void navigate({
      to: '.',
      search: (before: object) => ({ ...before, ratingWeek: chosen === current ? undefined : Number(chosen) }),
      replace: true,
      resetScroll: false,
    });

  return (
    <Card component="section" aria-labelledby="weekly-ratings">
      <Stack gap="md">
        <Group justify="space-between" align="flex-end" gap="sm">
          <div>
            <Title order={2} id="weekly-ratings">
              Weekly ratings
            </Title>
            <Text size="sm" c="dimmed">
              Where the rules of the program ask for a rating, pay waits for it.
            </Text>
          </div>
          <Select
            label="Week to rate"
            data={weekOptions}
            value={ratingWeek === undefined ? current : String(ratingWeek)}
            onChange={choose}
            allowDeselect={false}
            w={{ base: '100%', xs: 180 }}
          />
        </Group>
        <Loaded
          read={ratings}
          failure="The weekly ratings could not be loaded"
          loading={{ label: 'Loading the weekly ratings', rows: 3 }}
        >
          {({ ratings }) =>
            ratings.length === 0 ? (
              <EmptyState title="Nobody to rate yet">
                Participants appear here once they are enrolled with you in an active cohort.
              </EmptyState>
            ) : (
              <Stack gap="md">
                <Text size="sm" c="dimmed">
                  {isTouched ? '' : 'Type 4 or 4.5; Enter and the arrow keys go on to the next one. '}
                  Each is saved as you leave it.
                </Text>
                <table className={classes.grid} data-density={density}>
                  <thead>
                    <tr>
                      <th scope="col" className={classes.person}>
                        Participant
                      </th>
                      <th scope="col" className={classes.facts}>
                        The week
                      </th>
                      <th scope="col" className={classes.ofRating}>
                        Rating
                      </th>
                      <th scope="col">Comment</th>
                      <th scope="col" className={classes.ofState}>
                        State
                      </th>
                    </tr>
                  </thead>
                  <tbody>
                    {ratings.map((row) => (
                      <WeeklyRatingRow
                        key={keyOf(row)}
                        row={row}
                        week={weeks.get(keyOf(row))}
                        tellUnsaved={tellUnsaved}
                      />
                    ))}
                  </tbody>
                </table>
                <ReadFailure read={rated} failure="The facts of the week could not be loaded" />
                {ratings.some(({ can }) => !can.rate) ? (
                  <Text size="sm" c="dimmed">
                    You cannot rate future weeks, or weeks whose stipend is decided.
                  </Text>
                ) : null}
              </Stack>
            )
          }
        </Loaded>
        {question}
      </Stack>
    </Card>
  );
}

function keyOf({
  participantId,
  cohortId,
  weekNumber,
}: {
  participantId: string;
  cohortId: string;
  weekNumber: number;
}) {
  return `${participantId} ${cohortId} ${weekNumber}`;
}
