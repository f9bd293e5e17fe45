import { Anchor, Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ParticipantDashboard } from '#contract/home.ts';
import { formatCents } from '#contract/money.ts';
import { exportFormats, exportOwnStipends } from '#contract/stipend-exports.ts';
import { addressOf } from '../../api/call.ts';
import { paths } from '../../app/paths.ts';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { HomePanel } from './HomePanel.tsx';
import { payments } from './ParticipantStipend.tsx';

type RecentWeek = NonNullable<ParticipantDashboard['stipend']>['recentWeeks'][number];

/** STIP0-04, STIP0-05: the newest four weeks. Each names the criteria that it failed. */
export function ParticipantRecentWeeks({ weeks }: { weeks: RecentWeek[] }) {
  return (
    <HomePanel title="Recent weeks" aside={weeks.length > 0 ? <OwnExport /> : null}>
      {weeks.length === 0 ? <Text c="dimmed">Your first week shows here once it has been worked out.</Text> : null}
      <Stack gap="md" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
        {weeks.map((week) => (
          <li key={week.weekNumber}>
            <Group justify="space-between" gap="sm" wrap="nowrap">
              <Text fw={550}>
                Week {week.weekNumber} · {formatCents(week.amountCents)}
              </Text>
              <StatusBadge tone={payments[week.paymentStatus].tone}>{payments[week.paymentStatus].word}</StatusBadge>
            </Group>
            <Text size="sm" c="dimmed">
              {criteriaInWords(week)}
            </Text>
          </li>
        ))}
      </Stack>
      <Anchor component={Link} to={paths.myStipends} size="sm" display="inline-block" mt="md" py={4}>
        All weeks, payments and questions
      </Anchor>
    </HomePanel>
  );
}

/** Exports all weeks, with amounts and dates. */
function OwnExport() {
  return (
    <Group gap="sm">
      {exportFormats.map((format) => (
        <Anchor
          key={format}
          href={addressOf(exportOwnStipends, { query: { format } })}
          download
          size="sm"
          py={4}
          aria-label={`All weeks as ${format.toUpperCase()}`}
        >
          {format.toUpperCase()}
        </Anchor>
      ))}
    </Group>
  );
}

function criteriaInWords({ criteria, isEligible }: RecentWeek): string {
  if (isEligible) return `All ${criteria.length} requirements met`;
  return criteria
    .filter(({ isMet }) => !isMet)
    .map(({ reason }) => reason)
    .join('; ');
}
