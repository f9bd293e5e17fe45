import { Anchor, Box, Card, Group, List, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Fragment, useId } from 'react';
import { formatCents } from '#contract/money.ts';
import { periodWords } from '#contract/pay-periods.ts';
import type { StipendWeek } from '#contract/stipend-weeks.ts';
import { criterionStanding, isWithoutPay, type Reader, weekPhase } from '#contract/week-standing.ts';
import { paths } from '../../app/paths.ts';
import { DateTime } from '../../ui/DateTime.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { AmountLines } from './AmountLines.tsx';
import { OwnWeekQuestion } from './OwnWeekQuestion.tsx';
import { byWhen, placeOfWeek, standingOf, titleOfWeek } from './own-week-words.ts';
import { CriterionIcon } from './StipendCriteria.tsx';

interface OwnStipendWeekProps {
  week: StipendWeek;
  canAsk: boolean;
}

/** What did this week bring, and why? */
export function OwnStipendWeek({ week, canAsk }: OwnStipendWeekProps) {
  const headingId = useId();
  const reader = canAsk ? 'participant' : 'staff';
  const { state, label, color, sentence } = standingOf(week, reader);
  return (
    <Card component="section" aria-labelledby={headingId} id={placeOfWeek(week)} style={{ scrollMarginTop: 80 }}>
      <Group justify="space-between" gap="sm" mb="md">
        <Title order={2} id={headingId}>
          {titleOfWeek(week)}
        </Title>
        <Group gap="sm">
          <Text
            {...(isWithoutPay(state) ? { c: 'dimmed', fw: 400 } : { fw: 650 })}
            fz={20}
            style={{ fontVariantNumeric: 'tabular-nums' }}
          >
            {formatCents(week.amountCents)}
          </Text>
          <StatusBadge tone={color}>{label}</StatusBadge>
        </Group>
      </Group>
      <Stack gap="md">
        {isGranted(week) ? null : <Text size="sm">{sentence}</Text>}
        <AmountLines lines={week.amountLines} />
        <Criteria week={week} reader={reader} />
        <Missing week={week} />
        <Payment week={week} />
        <Corrections corrections={week.corrections} />
        <OwnWeekQuestion week={week} canAsk={canAsk} />
      </Stack>
    </Card>
  );
}

/** The amount and the badge say it all. */
function isGranted({ state }: StipendWeek): boolean {
  return state !== 'pending' && state !== 'denied';
}

function Criteria({ week, reader }: { week: StipendWeek; reader: Reader }) {
  const { criteria, state, lostCriteria, membershipNote, isWorkedOut } = week;
  const phase = weekPhase(week, week.today, state);
  if (isGranted(week) && criteria.length > 0 && criteria.every(({ isMet }) => isMet)) return <AllMet week={week} />;
  return (
    <Box>
      <SimpleGrid component="ul" cols={{ base: 1, sm: 3 }} spacing="md" m={0} p={0} style={{ listStyle: 'none' }}>
        {criteria.map((criterion) => {
          const standing = criterionStanding(criterion, phase, reader, lostCriteria);
          return (
            <Group component="li" key={criterion.name} gap={8} wrap="nowrap" align="flex-start">
              <CriterionIcon state={standing.state} />
              <Box>
                <Text size="sm" fw={550}>
                  {standing.label}
                </Text>
                <Text size="sm" c="dimmed">
                  {standing.sentence}
                </Text>
              </Box>
            </Group>
          );
        })}
      </SimpleGrid>
      {membershipNote ? (
        <Text size="sm" mt="sm">
          {membershipNote}.
        </Text>
      ) : null}
      {isWorkedOut ? null : (
        <Text size="sm" c="dimmed" mt="sm">
          So far. The admins have not worked out {periodWords[week.payPeriod].present} yet.
        </Text>
      )}
    </Box>
  );
}

/** A week that is settled takes one line, so that a phone shows what is open. */
function AllMet({ week: { criteria } }: { week: StipendWeek }) {
  return (
    <Group gap={8} wrap="nowrap" align="flex-start">
      <CriterionIcon state="met" />
      <Text size="sm">
        All {criteria.length} requirements met:{' '}
        <Text span inherit c="dimmed">
          {criteria.map(({ reason }) => reason).join(', ')}
        </Text>
      </Text>
    </Group>
  );
}

function Missing({ week: { missing, state, criteria, today } }: { week: StipendWeek }) {
  const openElsewhere = state === 'pending' ? criteria.filter(({ isMet, about }) => !isMet && about === 'rating') : [];
  if (missing.length === 0 && openElsewhere.length === 0) return null;
  return (
    <Box>
      <Title order={3} mb={4}>
        What is missing
      </Title>
      <List size="sm" spacing={4}>
        {missing.map((entry) => (
          <List.Item key={entry.id}>
            <Anchor
              component={Link}
              size="sm"
              underline="always"
              to={entry.kind === 'activity' ? paths.activity(entry.id) : paths.assignment(entry.id)}
            >
              {entry.title}
            </Anchor>
            : {byWhen(entry, today)}
          </List.Item>
        ))}
        {openElsewhere.map(({ name, reason }) => (
          <List.Item key={name}>The coach's rating: {reason.toLowerCase()}</List.Item>
        ))}
      </List>
    </Box>
  );
}

function Payment({
  week: { decidedAt, denialReason, state, sentAt, payment, changes, amountAwaitsApproval, amountCents },
}: {
  week: StipendWeek;
}) {
  if (!decidedAt && changes.length === 0) return null;
  return (
    <Box>
      <Title order={3} mb={4}>
        Decision and payment
      </Title>
      <List size="sm" spacing={4}>
        {payment ? (
          <List.Item>
            {formatCents(payment.amountCents)} paid{payment.parts.length > 1 ? ': ' : ' on '}
            {payment.parts.length > 1 ? <PaidInParts parts={payment.parts} /> : <DateTime value={payment.at} />}
          </List.Item>
        ) : null}
        {sentAt ? (
          <List.Item>
            Sent to the payment system on <DateTime value={sentAt} />
          </List.Item>
        ) : null}
        {decidedAt ? (
          <List.Item>
            {state === 'denied' ? 'Denied' : 'Approved'} on <DateTime value={decidedAt} />
            {denialReason ? (
              <Text span inherit display="block" style={{ whiteSpace: 'pre-wrap' }}>
                Reason: {denialReason}
              </Text>
            ) : null}
          </List.Item>
        ) : null}
        {amountAwaitsApproval ? (
          <List.Item>A second admin has to approve the new amount of {formatCents(amountCents)}</List.Item>
        ) : null}
        {changes.map(({ at, fromCents, toCents, isAdjustment }) => (
          <List.Item key={at}>
            {isAdjustment ? 'Adjusted after it was sent' : 'Amount changed'} from {formatCents(fromCents)} to{' '}
            {formatCents(toCents)} on <DateTime value={at} />
          </List.Item>
        ))}
      </List>
    </Box>
  );
}

/** '$450 on Mon 3 Nov, $50 on Fri 7 Nov' */
function PaidInParts({ parts }: { parts: NonNullable<StipendWeek['payment']>['parts'] }) {
  return parts.map(({ amountCents, at }, place) => (
    <Fragment key={at}>
      {place > 0 ? ', ' : ''}
      {formatCents(amountCents)} on <DateTime value={at} />
    </Fragment>
  ));
}

const correctionWords = {
  open: 'waiting for an answer',
  accepted: 'accepted',
  declined: 'declined',
  withdrawn: 'taken back',
} as const;

function Corrections({ corrections }: { corrections: StipendWeek['corrections'] }) {
  if (corrections.length === 0) return null;
  return (
    <Box>
      <Title order={3} mb={4}>
        Corrections of attendance
      </Title>
      <List size="sm" spacing={4}>
        {corrections.map(({ activityId, activityTitle, attended, status, answer }, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: One activity can have several questions, in this order.
          <List.Item key={`${activityId} ${place}`}>
            <Anchor component={Link} size="sm" underline="always" to={paths.activity(activityId)}>
              {activityTitle}
            </Anchor>
            , {attended ? 'said to be attended' : 'said not to be attended'}: {correctionWords[status]}
            {answer ? ` (${answer})` : ''}
          </List.Item>
        ))}
      </List>
    </Box>
  );
}
