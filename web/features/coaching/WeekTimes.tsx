import { Button, Card, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { z } from 'zod';
import { listLeave, readAvailability, saveAvailability } from '#contract/booking-setup.ts';
import { houseZone } from '#contract/house-zone.ts';
import { addDays, dayAt } from '#contract/weeks.ts';
import { zoneInWords } from '#contract/zones.ts';
import { messageOf } from '../../api/api-error.ts';
import { queryClient, queryFor } from '../../api/query-for.ts';
import { useAction } from '../../api/use-action.ts';
import { formatDay } from '../../ui/dates.ts';
import { Loaded } from '../../ui/Loaded.tsx';
import { showToast } from '../../ui/toast.tsx';
import { useTellUnsaved } from '../../ui/use-unsaved-parts.ts';
import { areSame, type Cell, cellsADay, cellsOf, rangesOf } from './availability-cells.ts';
import { TimesGrid } from './TimesGrid.tsx';

const Place = z.object({ week: z.iso.date().optional().catch(undefined) });

/**
 * Shows when the coach takes sessions, week by week. Unsaved painting stays until it is saved, even if the week is
 * changed.
 */
export function WeekTimes({ tellUnsaved }: { tellUnsaved: (part: string, isUnsaved: boolean) => void }) {
  const { week: asked } = Place.parse(useSearch({ strict: false }));
  const navigate = useNavigate();
  const week = sundayOf(asked ?? dayAt(new Date(), houseZone));
  const [drafts, setDrafts] = useState<Record<string, ReadonlySet<Cell>>>({});
  const times = useQuery(timesOf(week));
  const { leave = [] } = useQuery(queryFor(listLeave)).data ?? {};
  const isOnLeave = (day: string) => leave.some(({ startsOn, endsOn }) => startsOn <= day && day <= endsOn);
  const stored = times.data ? cellsOf(times.data.ranges) : null;
  const cells = drafts[week] ?? stored;
  const inLeave = [...(cells ?? [])].filter((cell) => isOnLeave(addDays(week, Math.floor(cell / cellsADay)))).length;
  const isChanged = cells !== null && stored !== null && !areSame(cells, stored);
  useTellUnsaved(tellUnsaved, 'times', Object.entries(drafts).some(differsFromStored));
  const save = useAction(saveAvailability, {
    success: 'Times saved',
    failureTitle: 'The times could not be saved',
    onSuccess: (saved, { body }) => {
      queryClient.setQueryData(timesOf(saved.weekStartDate).queryKey, saved);
      setDrafts((before) => {
        const { [saved.weekStartDate]: draft, ...others } = before;
        // Painting after the button was pressed is still unsaved.
        return draft && areSame(draft, cellsOf(body.ranges)) ? others : before;
      });
    },
  });
  const turn = (days: number) =>
    void navigate({
      to: '.',
      search: (before: object) => ({ ...before, week: addDays(week, days) }),
      resetScroll: false,
      replace: true,
    });
  const copyLastWeek = async () => {
    try {
      const { ranges } = await queryClient.fetchQuery(timesOf(addDays(week, -7)));
      setDrafts((before) => ({ ...before, [week]: cellsOf(ranges) }));
      showToast({ type: 'info', title: 'Last week copied', message: 'Save to offer these times.' });
    } catch (error) {
      showToast({ type: 'error', title: 'Last week could not be loaded', message: messageOf(error) });
    }
  };
  return (
    <Card component="section" aria-labelledby="week-times">
      <Stack gap="md">
        <Group justify="space-between" align="flex-start" gap="sm">
          <div>
            <Title order={2} id="week-times">
              Times you offer
            </Title>
            <Text size="sm" c="dimmed">
              {zoneInWords(houseZone, new Date())}. Participants book 30 minutes of these times. Booked sessions stay as
              they are.
            </Text>
          </div>
          <Button variant="default" size="sm" disabled={stored === null} onClick={() => void copyLastWeek()}>
            Copy last week
          </Button>
        </Group>
        <Group gap="sm" wrap="nowrap">
          <Button variant="default" size="sm" px={10} aria-label="Week before" onClick={() => turn(-7)}>
            <ChevronLeft size={18} aria-hidden />
          </Button>
          <Text fw={600} role="status">
            <WholeDay>{formatDay(week)}</WholeDay> to{' '}
            <WholeDay>{formatDay(addDays(week, 6), { withYear: true })}</WholeDay>
          </Text>
          <Button variant="default" size="sm" px={10} aria-label="Week after" onClick={() => turn(7)}>
            <ChevronRight size={18} aria-hidden />
          </Button>
        </Group>
        <Loaded
          read={times}
          failure="Your times could not be loaded"
          loading={{ label: 'Loading your times', rows: 6 }}
        >
          {() => null}
        </Loaded>
        {cells ? (
          <>
            <TimesGrid
              week={week}
              cells={cells}
              isOnLeave={isOnLeave}
              onChange={(changed) => setDrafts((before) => ({ ...before, [week]: changed }))}
            />
            <Group gap="sm">
              <Button
                disabled={!isChanged}
                loading={save.isRunning}
                onClick={() => save.run({ params: { weekStartDate: week }, body: { ranges: rangesOf(cells) } })}
              >
                Save the week
              </Button>
              <Text size="sm" c="dimmed" role="status">
                {isChanged ? 'Not saved yet.' : `${cells.size / 2} hours offered.`}
                {inLeave > 0 ? ` ${inLeave / 2} of them on leave: nobody can book those.` : ''}
              </Text>
            </Group>
          </>
        ) : null}
      </Stack>
    </Card>
  );
}

/** A date that no line breaks. */
function WholeDay({ children }: { children: string }) {
  return <span style={{ whiteSpace: 'nowrap' }}>{children}</span>;
}

function timesOf(weekStartDate: string) {
  return queryFor(readAvailability, { params: { weekStartDate } });
}

function differsFromStored([week, draft]: [string, ReadonlySet<Cell>]): boolean {
  const stored = queryClient.getQueryData(timesOf(week).queryKey);
  return !stored || !areSame(draft, cellsOf(stored.ranges));
}

/** COACH-51: weeks start on Sundays. */
function sundayOf(day: string): string {
  return addDays(day, -new Date(`${day}T00:00:00Z`).getUTCDay());
}
