import { Button, Group, List, Modal, Select, SimpleGrid, Stack, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type ListedCohort, listCohorts } from '#contract/cohorts.ts';
import { formatCents } from '#contract/money.ts';
import { paidDaysOn, periodDays, periodName, startOfSentence } from '#contract/pay-periods.ts';
import { type Programme, type RuleDraft, type RuleTrial, tryRules } from '#contract/programmes.ts';
import { dayAt } from '#contract/weeks.ts';
import { queryFor } from '../../../api/query-for.ts';
import { useAction } from '../../../api/use-action.ts';
import { counted } from '../../../ui/counted.ts';
import { formatDay } from '../../../ui/dates.ts';
import { ReadFailure } from '../../../ui/Loaded.tsx';
import { useReturnFocus } from '../../../ui/use-return-focus.ts';

interface RuleTrialDialogProps {
  programme: Programme;
  rules: RuleDraft;
  onClose: () => void;
}

/** Who would change by other rules in a past week, by how much, and in total. */
export function RuleTrialDialog({ programme, rules, onClose }: RuleTrialDialogProps) {
  useReturnFocus();
  const cohorts = useQuery(queryFor(listCohorts, { query: { programme: programme.id } }));
  const [cohortId, setCohortId] = useState<string | null>(null);
  const [week, setWeek] = useState<string | null>(null);
  const [found, setFound] = useState<RuleTrial | null>(null);
  const trial = useAction(tryRules, { failureTitle: 'The rules could not be tried', onSuccess: setFound });
  const rows = cohorts.data?.rows ?? [];
  const cohort = rows.find(({ id }) => id === cohortId) ?? null;
  return (
    <Modal opened onClose={onClose} title="Try on a past week" size="xl">
      <Stack gap="md">
        <Text>Nothing changes by this.</Text>
        <ReadFailure read={cohorts} failure="The cohorts could not be loaded" />
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
          <Select
            label="Cohort"
            placeholder={cohorts.data && rows.length === 0 ? 'No cohorts yet' : 'Choose a cohort'}
            data={rows.map(({ id, name }) => ({ value: id, label: name }))}
            value={cohortId}
            data-autofocus
            onChange={(chosen) => {
              setCohortId(chosen);
              setWeek(null);
              setFound(null);
            }}
          />
          <Select
            label="Stipend"
            placeholder="Choose a stipend"
            data={cohort ? begunOf(cohort) : []}
            disabled={cohort === null}
            value={week}
            onChange={(chosen) => {
              setWeek(chosen);
              setFound(null);
            }}
          />
        </SimpleGrid>
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
          <Button
            loading={trial.isRunning}
            disabled={cohortId === null || week === null}
            onClick={() => {
              if (cohortId === null || week === null) return;
              trial.run({ params: { id: programme.id }, body: { rules, cohortId, weekNumber: Number(week) } });
            }}
          >
            Try
          </Button>
        </Group>
        {found ? <Found trial={found} /> : null}
      </Stack>
    </Modal>
  );
}

/** The stipends of a cohort that have begun, the newest first. */
function begunOf({ startDate, calendar }: ListedCohort) {
  const today = dayAt(new Date(), calendar.zone);
  if (today < startDate) return [];
  const { weekNumber: last } = paidDaysOn(startDate, today, calendar);
  return Array.from({ length: last }, (_, index) => last - index).map((weekNumber) => {
    const { firstDay, lastDay } = periodDays(startDate, weekNumber, calendar);
    const name = startOfSentence(periodName({ payPeriod: calendar.payPeriod, weekNumber, firstDay }));
    return { value: String(weekNumber), label: `${name}, ${formatDay(firstDay)} to ${formatDay(lastDay)}` };
  });
}

function Found({ trial: { people, before, after, changing, rows } }: { trial: RuleTrial }) {
  const difference = after.cents - before.cents;
  return (
    <Stack gap="md" role="status">
      <Text>
        <b>
          {changing} of {counted(people, 'person', 'people')} would change.
        </b>{' '}
        {before.eligible} paid now, {after.eligible} then. {formatCents(before.cents)} in total now,{' '}
        {formatCents(after.cents)} then: {formatCents(Math.abs(difference))}{' '}
        {difference === 0 ? 'of difference' : difference > 0 ? 'more' : 'less'}.
      </Text>
      {rows.length === 0 ? null : (
        <Table.ScrollContainer minWidth={420}>
          <Table>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Participant</Table.Th>
                <Table.Th ta="right">Now</Table.Th>
                <Table.Th ta="right">Then</Table.Th>
                <Table.Th>Why</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.map(({ participantId, name, before: was, after: would, reasons }) => (
                <Table.Tr key={participantId}>
                  <Table.Td>{name}</Table.Td>
                  <Table.Td ta="right">{formatCents(was.cents)}</Table.Td>
                  <Table.Td ta="right">{formatCents(would.cents)}</Table.Td>
                  <Table.Td>
                    <List size="sm">
                      {reasons.map((reason) => (
                        <List.Item key={reason}>{reason}</List.Item>
                      ))}
                    </List>
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      {rows.length < changing ? (
        <Text size="sm" c="dimmed">
          The first {rows.length} are shown.
        </Text>
      ) : null}
    </Stack>
  );
}
