import { Anchor, Card, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { listSubmissions, type SubmissionRow } from '#contract/submissions.ts';
import { queryFor } from '../../api/query-for.ts';
import { paths } from '../../app/paths.ts';
import { type Column, DataTable } from '../../ui/DataTable.tsx';
import { LoadedRows } from '../../ui/Loaded.tsx';
import { SubmissionStatusBadge } from '../../ui/SubmissionStatusBadge.tsx';
import { TextInRow } from '../../ui/TextInRow.tsx';
import { TitleOnPhone } from '../../ui/TwoLines.tsx';
import type { Assignment } from './assignment-state.ts';
import { statusNames } from './status-names.ts';
import { VerdictRound } from './VerdictRound.tsx';

/** ASSIGN-06: for coaches and admins only. Shows the points and feedback given, and the way to give them. */
export function GradingInfo({ assignment }: { assignment: Assignment }) {
  const list = useQuery(queryFor(listSubmissions, { query: { assignment: assignment.id } }));
  return (
    <Card component="section" aria-labelledby="grading">
      <Stack gap="sm">
        <Title order={2} id="grading">
          Grading
        </Title>
        <Text>
          Max points: {assignment.maxPoints} · {assignment.isRequired ? 'Required' : 'Optional'}. Points and feedback
          are given with the review.
        </Text>
        <LoadedRows
          list={list}
          failure="Failed to load what was handed in"
          loading={{ label: 'Loading what was handed in', rows: 3 }}
          empty={<Text c="dimmed">Nobody has handed this in yet.</Text>}
        >
          {(rows) => <DataTable label="Handed in" columns={columns} rows={rows} keyOf={({ id }) => id} />}
        </LoadedRows>
        {list.data?.nextCursor ? (
          <Anchor
            underline="always"
            renderRoot={(props) => (
              <Link {...props} to={paths.submissions} search={{ search: assignment.title, mine: false }} />
            )}
          >
            All submissions of this assignment
          </Anchor>
        ) : null}
      </Stack>
    </Card>
  );
}

const columns: Column<SubmissionRow>[] = [
  {
    key: 'participant',
    label: 'Participant',
    onPhone: 'first',
    cell: ({ participantName }) => participantName,
    cellOnPhone: ({ participantName }) => <TitleOnPhone>{participantName}</TitleOnPhone>,
  },
  {
    key: 'status',
    label: 'Status',
    onPhone: 'firstEnd',
    cell: ({ status }) => <SubmissionStatusBadge status={status}>{statusNames[status]}</SubmissionStatusBadge>,
  },
  {
    key: 'points',
    label: 'Points earned',
    isNumber: true,
    onPhone: 'second',
    cellOnPhone: ({ pointsEarned, maxPoints }) => (
      <Text size="sm" c="dimmed">
        {pointsEarned === null ? 'No points yet' : `${pointsEarned} of ${maxPoints} points`}
      </Text>
    ),
    cell: ({ pointsEarned, maxPoints, status, roundNumber }) => (
      <>
        {pointsEarned === null ? null : <VerdictRound status={status} roundNumber={roundNumber} />}
        {pointsEarned === null ? 'None' : `${pointsEarned} of ${maxPoints}`}
      </>
    ),
  },
  {
    key: 'feedback',
    label: 'Feedback',
    onPhone: 'below',
    cellOnPhone: ({ feedback, participantName }) =>
      feedback ? <Feedback feedback={feedback} about={participantName} /> : null,
    cell: ({ feedback, participantName, status, roundNumber }) =>
      feedback ? (
        <>
          <VerdictRound status={status} roundNumber={roundNumber} />
          <Feedback feedback={feedback} about={participantName} />
        </>
      ) : (
        'None yet'
      ),
  },
  {
    key: 'actions',
    label: 'Actions',
    onPhone: 'secondEnd',
    cell: ({ id, can, participantName }) => (
      <Anchor
        underline="always"
        aria-label={`${can.review ? 'Review' : 'View'} the work of ${participantName}`}
        renderRoot={(props) => <Link {...props} to={paths.submissions} search={{ review: id, mine: false }} />}
      >
        {can.review ? 'Review' : 'View'}
      </Anchor>
    ),
  },
];

function Feedback({ feedback, about }: { feedback: string; about: string }) {
  return (
    <TextInRow name={`the feedback on ${about}`} lines={3}>
      {feedback}
    </TextInRow>
  );
}
