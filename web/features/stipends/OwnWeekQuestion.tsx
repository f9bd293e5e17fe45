import { Box, Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { periodName, periodWords } from '#contract/pay-periods.ts';
import { askAboutStipend, withdrawStipendQuestion } from '#contract/stipend-questions.ts';
import type { StipendWeek } from '#contract/stipend-weeks.ts';
import { useAction } from '../../api/use-action.ts';
import { DateTime } from '../../ui/DateTime.tsx';
import { ReasonForm } from '../../ui/ReasonForm.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { TypingModal } from '../../ui/TypingModal.tsx';
import { limitOf } from '../../ui/text-limit.ts';
import { questionLooks, standingOf, titleOfWeek } from './own-week-words.ts';

const written = { whiteSpace: 'pre-wrap' } as const;

interface OwnWeekQuestionProps {
  week: StipendWeek;
  canAsk: boolean;
}

/** Shows the questions about the week and their answers, and the way to ask. */
export function OwnWeekQuestion({ week, canAsk }: OwnWeekQuestionProps) {
  const [isAsking, setIsAsking] = useState(false);
  const withdraw = useAction(withdrawStipendQuestion, {
    success: 'Question Taken Back',
    failureTitle: 'Taking Back Failed',
  });
  const ask = `Ask about ${periodWords[week.payPeriod].present}`;
  const open = week.questions.find(({ status }) => status === 'open');
  return (
    <>
      {week.questions.map((question) => (
        <Asked key={question.id} question={question} />
      ))}
      {canAsk && open ? (
        <Button
          variant="default"
          size="sm"
          w="fit-content"
          loading={withdraw.isRunning}
          onClick={() => withdraw.run({ params: { id: open.id } })}
        >
          Take the question back
        </Button>
      ) : null}
      {canAsk && !open ? (
        <Button
          variant="default"
          size="sm"
          w="fit-content"
          onClick={() => setIsAsking(true)}
          aria-label={`${ask}: ${periodName(week)}`}
        >
          {ask}
        </Button>
      ) : null}
      <TypingModal opened={isAsking} onClose={() => setIsAsking(false)} title={`Question ${periodName(week)}`}>
        <AskForm week={week} onClose={() => setIsAsking(false)} />
      </TypingModal>
    </>
  );
}

function Asked({ question: { status, askedAt, question, answer, answeredBy } }: { question: Question }) {
  const { tone, label } = questionLooks[status];
  return (
    <Box>
      <Group gap="sm">
        <StatusBadge tone={tone}>{label}</StatusBadge>
        <Text size="sm" c="dimmed" component="div">
          Asked <DateTime value={askedAt} />
        </Text>
      </Group>
      <Text size="sm" mt={4} style={written}>
        {question}
      </Text>
      {answer ? (
        <Text size="sm" mt={4} style={written}>
          {answeredBy}: {answer}
        </Text>
      ) : null}
      {status === 'closed' ? (
        <Text size="sm" mt={4}>
          {answeredBy} closed it: it was settled elsewhere.
        </Text>
      ) : null}
    </Box>
  );
}

type Question = StipendWeek['questions'][number];

function AskForm({ week, onClose }: { week: StipendWeek; onClose: () => void }) {
  const { cohortId, weekNumber } = week;
  const { run, isRunning } = useAction(askAboutStipend, {
    success: 'Question Sent',
    failureTitle: 'Question Failed',
    onSuccess: onClose,
  });
  return (
    <ReasonForm
      label="Your question"
      missing="Please write your question."
      minRows={3}
      maxLength={limitOf(askAboutStipend.body, 'question')}
      confirmLabel="Send question"
      isRunning={isRunning}
      onConfirm={(question) => run({ body: { cohortId, weekNumber, question } })}
      onClose={onClose}
    >
      Your coach gets it as a message, and the admins see it. The facts of the {periodWords[week.payPeriod].one} go with
      it:
      <Box component="ul" m={0} mt="md" pl="lg">
        <li>
          {titleOfWeek(week)}: {standingOf(week, 'participant').label}
        </li>
        {week.criteria.map(({ name, reason }) => (
          <li key={name}>
            {name}: {reason}
          </li>
        ))}
      </Box>
    </ReasonForm>
  );
}
