import { Anchor, Box, Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { AdminDashboard, AdminSection } from '#contract/home.ts';
import { paths } from '../../app/paths.ts';
import { type Missing, NotLoaded, standInLooks } from '../../ui/NotLoaded.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import type { MissingOf } from './AdminWeek.tsx';
import { HomePanel } from './HomePanel.tsx';

interface Queue {
  label: string;
  count: number;
  to: string;
  note?: string | undefined;
  section?: AdminSection;
}

/** Work that waits for somebody. Each row links to the screen for it. */
export function AdminQueues({ figures, missingOf }: { figures: AdminDashboard; missingOf: MissingOf }) {
  const { queues, statistics } = figures;
  const oldest = queues.oldestStipends;
  const waiting: Queue[] = [
    {
      label: 'Reviews waiting for a coach',
      count: statistics.pendingSubmissions,
      to: paths.submissions,
      section: 'submissions',
    },
    { label: 'Participants without a coach', count: queues.participantsWithoutCoach, to: paths.assignParticipants },
    {
      label: 'Eligible stipends to approve',
      count: queues.stipendsToApprove,
      to: oldest ? paths.stipendsToApprove(oldest.weekNumber, oldest.cohortId) : paths.stipendManagement,
      note: oldest ? weekInWords(oldest) : undefined,
    },
    { label: 'Questions about stipends', count: queues.stipendQuestions, to: paths.stipendQuestions },
    { label: 'Requests for a coach or admin role', count: queues.roleRequests, to: paths.userManagement },
    {
      label: 'Uploads with failed records in the last 7 days',
      count: queues.failedImports,
      to: paths.bulkInvitations,
    },
    { label: 'Emails and messages we could not deliver', count: queues.deliveriesGivenUp, to: paths.deliveries },
  ];
  return (
    <HomePanel title="To do">
      <Stack component="ul" gap="xs" m={0} p={0} style={{ listStyle: 'none' }}>
        {waiting.map(({ label, count, to, note, section = 'queues' }) => (
          <Group component="li" key={label} justify="space-between" wrap="nowrap" gap="sm">
            <Box>
              <Anchor component={Link} to={to} py={4} display="inline-flex">
                {label}
              </Anchor>
              {note ? (
                <Text size="sm" c="dimmed">
                  {note}
                </Text>
              ) : null}
            </Box>
            <Waiting label={label} count={count} missing={missingOf(section)} />
          </Group>
        ))}
      </Stack>
    </HomePanel>
  );
}

/** Says where the link leads. */
function weekInWords({ weekNumber, cohortName, weeks }: NonNullable<AdminDashboard['queues']['oldestStipends']>) {
  const week = `week ${weekNumber} of ${cohortName}`;
  return weeks === 1 ? `In ${week}` : `In ${weeks} weeks, oldest ${week}`;
}

interface WaitingProps {
  label: string;
  count: number;
  missing: Missing | undefined;
}

function Waiting({ label, count, missing }: WaitingProps) {
  if (missing) {
    return (
      <Group gap={8} wrap="nowrap" flex="none">
        <Text size="sm" span {...standInLooks}>
          0
        </Text>
        <NotLoaded label={label} missing={missing} />
      </Group>
    );
  }
  return (
    <StatusBadge tone={count > 0 ? 'warning' : 'success'}>
      {count > 0 ? `${count.toLocaleString('en-US')} waiting` : 'None'}
    </StatusBadge>
  );
}
