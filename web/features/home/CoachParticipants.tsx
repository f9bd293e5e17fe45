import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { type CoachDashboard, listCoachParticipants } from '#contract/home.ts';
import { personStanding } from '#contract/standing.ts';
import { pagesFor } from '../../api/query-for.ts';
import { paths } from '../../app/paths.ts';
import { type Column, DataTable } from '../../ui/DataTable.tsx';
import { formatDay } from '../../ui/dates.ts';
import { ReadFailure } from '../../ui/Loaded.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { Facts, TwoLines } from '../../ui/TwoLines.tsx';
import { kindOf } from '../users/user-words.ts';
import { HomePanel } from './HomePanel.tsx';

type Participant = CoachDashboard['participants'][number];

interface CoachParticipantsProps {
  /** The first of `total` participants. */
  participants: Participant[];
  total: number;
}

/** COACH-08, COACH-09: participants who need the coach most come first, with the reasons, the gravest above. */
export function CoachParticipants({ participants, total }: CoachParticipantsProps) {
  const [isLong, setLong] = useState(false);
  const list = useInfiniteQuery({
    ...pagesFor(listCoachParticipants, { query: {} }),
    enabled: isLong,
  });
  if (total === 0) {
    return (
      <HomePanel title="Your participants">
        <EmptyState title="No participants yet">Participants show here when an admin assigns them to you.</EmptyState>
      </HomePanel>
    );
  }
  const all = list.data?.pages.flatMap((page) => page.rows);
  const shown = isLong && all ? all : participants;
  const showMore = () => {
    if (!isLong) setLong(true);
    else if (!list.data) void list.refetch();
    else void list.fetchNextPage();
  };
  return (
    <HomePanel
      title="Your participants"
      aside={
        <Group gap="0 16px">
          <Anchor component={Link} to={paths.attendanceCorrections} size="sm" py={4}>
            Attendance corrections
          </Anchor>
          <Anchor component={Link} to={paths.stipendQuestions} size="sm" py={4}>
            Stipend questions
          </Anchor>
          <Anchor component={Link} to={paths.cohortProgress} size="sm" py={4}>
            Cohort progress
          </Anchor>
        </Group>
      }
    >
      <Stack gap="sm" align="stretch">
        <Text size="sm" c="dimmed">
          Sorted by who needs help most: this week's pay first, then overdue or returned work, then no-shows and
          silence.
        </Text>
        <DataTable
          label="Table of your participants"
          columns={columns}
          rows={shown}
          keyOf={({ id }) => id}
          minWidth={860}
        />
        <ReadFailure read={list} failure="Failed to load participants" />
        {shown.length < total && !list.isError ? (
          <Button
            variant="default"
            size="sm"
            style={{ alignSelf: 'flex-start' }}
            onClick={showMore}
            loading={list.isFetching}
          >
            Show more ({shown.length} of {total.toLocaleString('en-US')})
          </Button>
        ) : null}
      </Stack>
    </HomePanel>
  );
}

const columns: Column<Participant>[] = [
  {
    key: 'name',
    label: 'Participant',
    width: '20%',
    onPhone: 'first',
    cell: (participant) => <TwoLines first={<Name of={participant} />} second={participant.email} />,
    cellOnPhone: (participant) => <TwoLines first={<Name of={participant} />} />,
  },
  {
    key: 'standing',
    label: 'Standing',
    width: '36%',
    onPhone: 'secondRest',
    cell: (participant) => <Standing participant={participant} />,
  },
  {
    key: 'course',
    label: 'Course',
    cell: ({ courseTitle, status, startDate, ...kind }) => (
      <TwoLines
        first={courseTitle}
        second={`${inWords(status)} · ${kindOf(kind)} · from ${formatDay(startDate, { withYear: true })}`}
      />
    ),
  },
  {
    key: 'work',
    label: 'Submissions',
    width: 108,
    cell: ({ totalSubmissions, gradedSubmissions }) => (
      <TwoLines first={`${totalSubmissions.toLocaleString('en-US')} total`} second={`${gradedSubmissions} graded`} />
    ),
  },
  {
    key: 'details',
    label: 'Details',
    width: 184,
    onPhone: 'firstEnd',
    // The page of the person leads to their stipends, too.
    cellOnPhone: (participant) => <TwoLines first={<Details of={participant} />} />,
    cell: (participant) => (
      // One above the other, they would be too close to press (WCAG 2.5.8).
      <Group gap="md" wrap="nowrap" fz="sm" style={{ whiteSpace: 'nowrap' }}>
        <Details of={participant} />
        {participant.trackType === 'fellowship' ? (
          <Anchor
            component={Link}
            to={paths.stipendsOf(participant.id)}
            inherit
            aria-label={`Stipends of ${participant.firstName} ${participant.lastName}`}
          >
            Stipends
          </Anchor>
        ) : null}
      </Group>
    ),
  },
];

function Name({ of: { id, firstName, lastName } }: { of: Participant }) {
  return (
    <Anchor component={Link} to={paths.person(id)} fw={550} c="inherit">
      {firstName} {lastName}
    </Anchor>
  );
}

function Details({ of: { id, firstName, lastName } }: { of: Participant }) {
  return (
    <Anchor
      inherit
      aria-label={`View Details of ${firstName} ${lastName}`}
      renderRoot={(props) => <Link {...props} to={paths.submissions} search={{ participant: id }} />}
    >
      View Details
    </Anchor>
  );
}

/** One badge has the gravest reason. The others stand below it. */
function Standing({ participant }: { participant: Participant }) {
  const { isStipendAtRisk: isOutOfReach, payPeriod, progress: programme } = participant;
  const { color, label, reasons } = personStanding({
    ...{ isOutOfReach, programme, matters: participant },
    payPeriod: payPeriod ?? undefined,
  });
  return (
    <>
      <StatusBadge tone={color}>{label}</StatusBadge>
      <Facts>
        {reasons.slice(1).map((reason) => (
          <span key={reason}>{reason}</span>
        ))}
      </Facts>
    </>
  );
}

function inWords(status: string): string {
  return status.charAt(0).toUpperCase() + status.slice(1);
}
