import { Anchor, Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ContentItem } from '#contract/activities.ts';
import { SubmissionStatus } from '#contract/submissions.ts';
import { paths } from '../../app/paths.ts';
import { formatDay } from '../../ui/dates.ts';
import { SubmissionStatusBadge } from '../../ui/SubmissionStatusBadge.tsx';

type Assignment = ContentItem['assignments'][number];

/** ACT-08, with the participant's own status of each assignment. */
export function AssignmentLinks({ assignments, isParticipant }: { assignments: Assignment[]; isParticipant: boolean }) {
  return (
    <Stack gap="xs" component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
      {assignments.map((assignment) => (
        <Group key={assignment.id} component="li" justify="space-between" gap="xs">
          <div style={{ minWidth: 0 }}>
            <Anchor component={Link} to={paths.assignment(assignment.id)} fw={550}>
              {assignment.title}
            </Anchor>
            {assignment.dueDate ? (
              <Text size="sm" c="dimmed">
                Due {formatDay(assignment.dueDate)}
              </Text>
            ) : null}
          </div>
          {isParticipant ? <AssignmentStatus status={assignment.status} /> : null}
        </Group>
      ))}
    </Stack>
  );
}

function AssignmentStatus({ status }: { status: string | null }) {
  const known = SubmissionStatus.safeParse(status).data ?? 'none';
  return <SubmissionStatusBadge status={known} />;
}
