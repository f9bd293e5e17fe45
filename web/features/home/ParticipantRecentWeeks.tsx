import { Anchor, Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { formatCents } from '#contract/money.ts';
import { recentWeekStanding, type Stipend } from '#contract/own-week-standing.ts';
import { periodName, startOfSentence } from '#contract/pay-periods.ts';
import { exportFormats, exportOwnStipends } from '#contract/stipend-exports.ts';
import { isWithoutPay, weekStateWords } from '#contract/week-standing.ts';
import { addressOf } from '../../api/call.ts';
import { paths } from '../../app/paths.ts';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { HomePanel } from './HomePanel.tsx';

interface ParticipantRecentWeeksProps {
  weeks: Stipend['recentWeeks'];
  place: Parameters<typeof recentWeekStanding>[1];
  isFolded?: boolean;
}

/** STIP0-04, STIP0-05: the newest four weeks. Each says how it stands, as on the page of all weeks. */
export function ParticipantRecentWeeks({ weeks, place, isFolded = false }: ParticipantRecentWeeksProps) {
  return (
    <HomePanel
      title="Recent weeks"
      aside={weeks.length > 0 ? <OwnExport /> : null}
      fold={isFolded ? { name: 'weeks', figure: figureOf(weeks, place) } : null}
    >
      {weeks.length === 0 ? <Text c="dimmed">Your first week will show here.</Text> : null}
      <Stack gap="md" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
        {weeks.map((week) => (
          <li key={week.weekNumber}>
            <RecentWeek week={week} place={place} />
          </li>
        ))}
      </Stack>
      <Anchor component={Link} to={paths.myStipends} size="sm" display="inline-block" mt="md" py={4}>
        All weeks, payments and questions
      </Anchor>
    </HomePanel>
  );
}

function RecentWeek({
  week,
  place,
}: {
  week: Stipend['recentWeeks'][number];
  place: ParticipantRecentWeeksProps['place'];
}) {
  const standing = recentWeekStanding(week, place);
  const amount = formatCents(week.amountCents);
  return (
    <>
      <Group justify="space-between" gap="4px 12px">
        <Text fw={550}>
          {startOfSentence(periodName(week))} ·{' '}
          {isWithoutPay(standing.state) ? (
            <Text span inherit c="dimmed" fw={400}>
              {amount}
            </Text>
          ) : (
            amount
          )}
        </Text>
        <StatusBadge tone={standing.color}>{standing.label}</StatusBadge>
      </Group>
      <Text size="sm" c="dimmed">
        {inWords(week, standing.sentence)}
      </Text>
    </>
  );
}

/** How many stand how, as their badges say. */
function figureOf(weeks: ParticipantRecentWeeksProps['weeks'], place: ParticipantRecentWeeksProps['place']): string {
  const states = Map.groupBy(weeks, (week) => recentWeekStanding(week, place).state);
  if (states.size === 0) return 'None yet';
  return [...states].map(([state, { length }]) => `${length} ${weekStateWords[state]}`).join(', ');
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

/** Beside a decision stands what it rests on. The badge has the decision. */
function inWords(week: Stipend['recentWeeks'][number], sentence: string): string {
  if (week.paymentStatus === 'pending') return sentence;
  if (week.isEligible) return `All ${week.criteria.length} requirements met`;
  return week.criteria
    .filter(({ isMet }) => !isMet)
    .map(({ reason }) => reason)
    .join('; ');
}
