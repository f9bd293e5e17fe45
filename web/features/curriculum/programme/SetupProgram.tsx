import { Button, Card, Group, List, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ArrowLeft, Pencil } from 'lucide-react';
import { useState } from 'react';
import { type ReadProgramme, readProgramme, weekdays } from '#contract/programmes.ts';
import { ruleSentence } from '#contract/stipend-rules.ts';
import { queryFor } from '../../../api/query-for.ts';
import { counted } from '../../../ui/counted.ts';
import { formatDay } from '../../../ui/dates.ts';
import { LoadedParts } from '../../../ui/Loaded.tsx';
import { focusTab } from '../../../ui/use-return-focus.ts';
import { ProgramFactsDialog } from './ProgramFactsDialog.tsx';
import { amountsInWords, payPeriodNames } from './programme-words.ts';
import { RulesEditor } from './RulesEditor.tsx';
import { useSetupPlace } from './setup-place.ts';

/** One program: its facts, the rules in force, and the draft of the next. */
export function SetupProgram({ id }: { id: string }) {
  const { change } = useSetupPlace();
  const program = useQuery(queryFor(readProgramme, { params: { id } }));
  return (
    <Stack gap="lg">
      <Button
        variant="subtle"
        size="compact-sm"
        w="fit-content"
        leftSection={<ArrowLeft size={15} aria-hidden />}
        onClick={() => {
          change({ program: undefined });
          focusTab();
        }}
      >
        All programs
      </Button>
      <LoadedParts
        read={program}
        failure="The program could not be loaded"
        loading={{ label: 'Loading the program', rows: 6 }}
      >
        {(data) => <Opened program={data} />}
      </LoadedParts>
    </Stack>
  );
}

function Opened({ program }: { program: ReadProgramme }) {
  const { programme, published, draft } = program;
  const [isEditing, setEditing] = useState(false);
  const { weeks, zone, payPeriod, firstWeekday, audiences, moduleNames, cohorts } = programme;
  const newest = published[0]?.rules ?? draft?.rules;
  return (
    <>
      <Card component="section" aria-labelledby="program">
        <Stack gap="sm">
          <Group justify="space-between" gap="sm" align="flex-start">
            <Title order={2} id="program">
              {programme.name}
            </Title>
            <Button variant="default" leftSection={<Pencil size={16} aria-hidden />} onClick={() => setEditing(true)}>
              Edit program
            </Button>
          </Group>
          <Text>
            {counted(weeks, 'week')}, {zone.replaceAll('_', ' ')} time. {payPeriodNames[payPeriod]} there is a stipend.
            Cohorts begin on {firstWeekday === null ? 'any day' : `a ${weekdays[firstWeekday]}`}.{' '}
            {counted(cohorts, 'cohort')}.
          </Text>
          <Text size="sm" c="dimmed">
            For {audiences.map(({ label }) => label).join(', ')}. {counted(moduleNames.length, 'module name')}.
          </Text>
        </Stack>
      </Card>
      <Published program={program} />
      {newest ? <RulesEditor key={published.length} program={program} from={newest} /> : null}
      {isEditing ? <ProgramFactsDialog program={program} onClose={() => setEditing(false)} /> : null}
    </>
  );
}

function Published({ program: { published, programme, today } }: { program: ReadProgramme }) {
  return (
    <Card component="section" aria-labelledby="rules">
      <Stack gap="sm">
        <Title order={2} id="rules">
          Rules for pay
        </Title>
        {published.length === 0 ? (
          <Text>No rules are published yet, so no stipends are worked out for this program.</Text>
        ) : (
          <List listStyleType="none" spacing="md">
            {published.map(({ id, rules, fromDay, publishedBy }) => (
              <List.Item key={id}>
                <Text fw={600}>
                  {rules.name}, version {rules.version}
                </Text>
                <Text>
                  {ruleSentence(rules)} {amountsInWords(rules.amounts, programme.payPeriod)}
                </Text>
                <Text size="sm" c="dimmed">
                  In force {fromDay <= today ? 'since' : 'from'} {formatDay(fromDay, { withYear: true })}
                  {publishedBy ? `, published by ${publishedBy}` : ''}
                </Text>
              </List.Item>
            ))}
          </List>
        )}
      </Stack>
    </Card>
  );
}
