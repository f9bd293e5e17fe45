import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { publishRules, type ReadProgramme, readPublicationEffect } from '#contract/programmes.ts';
import { ruleSentence } from '#contract/stipend-rules.ts';
import { ApiError } from '../../../api/api-error.ts';
import { queryFor } from '../../../api/query-for.ts';
import { useAction } from '../../../api/use-action.ts';
import { counted } from '../../../ui/counted.ts';
import { formatDay } from '../../../ui/dates.ts';
import { ReadFailure } from '../../../ui/Loaded.tsx';
import { useReturnFocus } from '../../../ui/use-return-focus.ts';
import { amountsInWords } from './programme-words.ts';

interface RulePublicationProps {
  program: ReadProgramme;
  draft: NonNullable<ReadProgramme['draft']>;
  onClose: () => void;
}

/** Shows in numbers what it does to publish, before it is done. */
export function RulePublication({ program, draft, onClose }: RulePublicationProps) {
  useReturnFocus();
  const { programme, needsTwo, today } = program;
  const { firstPublished, rules } = draft;
  const [fromDay, setFromDay] = useState(firstPublished?.fromDay ?? today);
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(fromDay);
  const effect = useQuery({
    ...queryFor(readPublicationEffect, { params: { id: programme.id }, query: { fromDay } }),
    enabled: isDay,
    placeholderData: keepPreviousData,
  });
  const publish = useAction(publishRules, {
    success: ({ status, version }) =>
      status === 'published'
        ? { title: 'Rules Published', message: `Version ${version} is in force from ${formatDay(fromDay)} on.` }
        : { title: 'One More Admin Has to Publish', message: 'The rules are in force once another admin agrees.' },
    failureTitle: 'The rules were not published',
    onSuccess: onClose,
  });
  const refusal = publish.error instanceof ApiError ? publish.error.fieldErrors[0]?.message : undefined;
  return (
    <Modal opened onClose={onClose} title={`Publish the rules of ${programme.name}`} size="lg">
      <Stack gap="md">
        <Text>
          <b>{ruleSentence(rules)}</b> {amountsInWords(rules.amounts, programme.payPeriod)}
        </Text>
        <TextInput
          type="date"
          label="In force from"
          description="They judge every stipend whose first day is not before this day."
          value={fromDay}
          error={refusal}
          data-autofocus
          onChange={({ currentTarget }) => setFromDay(currentTarget.value)}
        />
        <ReadFailure read={effect} failure="The numbers could not be loaded" />
        {effect.data && isDay ? (
          <Text role="status">
            {counted(effect.data.judgedAnew, 'stipend')} in {counted(effect.data.cohorts, 'cohort')} will be judged
            again. {counted(effect.data.decided, 'decided stipend')} will stay as{' '}
            {effect.data.decided === 1 ? 'it is' : 'they are'}.
          </Text>
        ) : null}
        {needsTwo ? (
          <Text>
            {firstPublished
              ? `${firstPublished.byName} published these rules first. They are in force once another admin does too.`
              : 'Two admins have to publish the rules of this program.'}
          </Text>
        ) : null}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button
            loading={publish.isRunning}
            disabled={!isDay || !effect.data}
            onClick={() => publish.run({ params: { id: programme.id }, body: { edition: draft.edition, fromDay } })}
          >
            Publish rules
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
