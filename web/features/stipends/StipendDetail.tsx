import { Alert, Anchor, Box, Card, Divider, Group, List, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { ListChecks } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ResponseOf } from '#contract/endpoint.ts';
import { formatCents } from '#contract/money.ts';
import { periodWords } from '#contract/pay-periods.ts';
import { printStatement } from '#contract/stipend-exports.ts';
import type { Criterion } from '#contract/stipend-rules.ts';
import type { readStipend } from '#contract/stipends.ts';
import { criterionStanding } from '#contract/week-standing.ts';
import { addressOf } from '../../api/call.ts';
import { paths } from '../../app/paths.ts';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { MarkPaid } from '../payments/MarkPaid.tsx';
import { StipendPayee } from '../payments/StipendPayee.tsx';
import { StipendPayment } from '../payments/StipendPayment.tsx';
import { TakePaymentBack } from '../payments/TakePaymentBack.tsx';
import { AmountLines } from './AmountLines.tsx';
import { ExportPerson } from './ExportStipends.tsx';
import { eligibilityOf, phaseOf } from './row-standing.ts';
import { StipendAssignments } from './StipendAssignments.tsx';
import { StipendAttendance } from './StipendAttendance.tsx';
import { CriterionIcon } from './StipendCriteria.tsx';
import { StipendHistory } from './StipendHistory.tsx';

type Detail = ResponseOf<typeof readStipend>;

export function StipendDetail({ stipend }: { stipend: Detail }) {
  const eligibility = eligibilityOf(stipend);
  return (
    <Stack gap="lg">
      <Group gap="xl" align="flex-start">
        <Fact label={stipend.payPeriod === 'week' ? "Week's stipend" : 'Stipend'}>
          <Text fw={650} fz={20}>
            {formatCents(stipend.amountCents)}
          </Text>
          <AmountLines lines={stipend.amountLines} />
        </Fact>
        <Fact label="Overall status">
          <StatusBadge tone={eligibility.color}>{eligibility.label}</StatusBadge>
        </Fact>
        <Fact label="Payment status">
          <StipendPayment row={stipend} />
          <StipendPayee row={stipend} />
          <Group gap={6} mt={8}>
            {stipend.can.markPaid ? <MarkPaid stipend={stipend} /> : null}
            {stipend.can.takePaymentBack ? <TakePaymentBack stipend={stipend} /> : null}
          </Group>
        </Fact>
      </Group>
      <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="md">
        {stipend.criteria.map((criterion) => (
          <CriterionCard key={criterion.name} stipend={stipend} criterion={criterion} />
        ))}
      </SimpleGrid>
      {stipend.membershipNote ? <Text>{stipend.membershipNote}.</Text> : null}
      {stipend.requirements ? <Requirements requirements={stipend.requirements} /> : null}
      <StipendAssignments assignments={stipend.assignments} payPeriod={stipend.payPeriod} />
      <StipendAttendance attendance={stipend.attendance} payPeriod={stipend.payPeriod} />
      <Performance stipend={stipend} />
      <StipendHistory history={stipend.history} />
      <Divider />
      <Group component="footer" justify="space-between" gap="sm">
        <Text c="dimmed">Cohort: {stipend.cohortName}</Text>
        <Group gap="md">
          <Anchor component={Link} to={paths.person(stipend.fellowId)}>
            Their page
          </Anchor>
          <Anchor component={Link} to={paths.stipendsOf(stipend.fellowId)}>
            All {periodWords[stipend.payPeriod].many}
          </Anchor>
          <Anchor href={addressOf(printStatement, { params: { id: stipend.fellowId } })} download>
            Statement (PDF)
          </Anchor>
          <ExportPerson personId={stipend.fellowId} name={stipend.participantName} />
        </Group>
      </Group>
    </Stack>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Box>
      <Text size="sm" c="dimmed" mb={4}>
        {label}
      </Text>
      {children}
    </Box>
  );
}

/** STIP-50 */
function CriterionCard({ stipend, criterion }: { stipend: Detail; criterion: Criterion }) {
  const { state, label, sentence } = criterionStanding(criterion, phaseOf(stipend), 'admin', stipend.lostCriteria);
  return (
    <Card component="section" aria-label={`${criterion.name} criterion`} padding="md">
      <Group gap={8} wrap="nowrap">
        <CriterionIcon state={state} />
        <Text fw={600}>{label}</Text>
      </Group>
      <Text size="sm" c="dimmed" mt={4}>
        {sentence}
      </Text>
    </Card>
  );
}

/** STIP-55 to STIP-57 */
function Requirements({ requirements }: { requirements: string[] }) {
  return (
    <Alert color="yellow" icon={<ListChecks size={18} aria-hidden />} title="Requirements to Become Eligible">
      <List size="sm" spacing={4}>
        {requirements.map((requirement) => (
          <List.Item key={requirement}>{capitalized(requirement)}</List.Item>
        ))}
      </List>
    </Alert>
  );
}

function capitalized(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** STIP-54 */
function Performance({
  stipend: { performanceRating: rating, ratingComment: comment, payPeriod },
}: {
  stipend: Detail;
}) {
  return (
    <Box component="section" aria-label="Performance evaluation">
      <Title order={3} mb="xs">
        Performance evaluation
      </Title>
      {rating === null ? (
        <Text c="dimmed">No performance evaluation for {periodWords[payPeriod].present} yet</Text>
      ) : (
        <Text>
          Overall rating: <b>{rating.toFixed(1)} of 5</b>
        </Text>
      )}
      {comment ? (
        <Text mt={4} style={{ whiteSpace: 'pre-wrap' }}>
          {comment}
        </Text>
      ) : null}
    </Box>
  );
}
