import { Anchor, Button, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { StipendQuestion } from '#contract/stipend-questions.ts';
import { paths } from '../../app/paths.ts';
import { type Column, DataTable } from '../../ui/DataTable.tsx';
import { DateTime } from '../../ui/DateTime.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { questionLooks } from './own-week-words.ts';

interface StipendQuestionTableProps {
  rows: StipendQuestion[];
  onAnswer: (question: StipendQuestion) => void;
}

const written = { whiteSpace: 'pre-wrap' } as const;

export function StipendQuestionTable({ rows, onAnswer }: StipendQuestionTableProps) {
  const columns: Column<StipendQuestion>[] = [
    {
      key: 'participant',
      label: 'Participant',
      width: '22%',
      cell: ({ participantId, participantName, coachName, askedAt }) => (
        <div>
          <Anchor component={Link} to={paths.stipendsOf(participantId)} fw={550}>
            {participantName}
          </Anchor>
          <Text size="sm" c="dimmed">
            {coachName === noCoach ? noCoach : `Coach: ${coachName}`}
          </Text>
          <Text size="sm" c="dimmed" component="div">
            Asked <DateTime value={askedAt} />
          </Text>
        </div>
      ),
    },
    {
      key: 'question',
      label: 'Question',
      cell: ({ question }) => (
        <Text size="sm" style={written}>
          {question}
        </Text>
      ),
    },
    {
      key: 'facts',
      label: 'The week as they saw it',
      width: '30%',
      cell: ({ facts }) => (
        <div>
          {facts.map((fact) => (
            <Text key={fact} size="sm" c="dimmed">
              {fact}
            </Text>
          ))}
        </div>
      ),
    },
    { key: 'answer', label: 'Answer', width: '22%', cell: (row) => <Answer row={row} onAnswer={onAnswer} /> },
  ];
  return <DataTable label="Questions about stipends" columns={columns} rows={rows} keyOf={({ id }) => id} />;
}

const noCoach = 'No coach assigned';

function Answer({ row, onAnswer }: { row: StipendQuestion } & Pick<StipendQuestionTableProps, 'onAnswer'>) {
  const { status, answer, answeredBy, answeredAt, participantName, weekNumber } = row;
  if (status === 'open') {
    return (
      <Button
        size="compact-md"
        fz="sm"
        onClick={() => onAnswer(row)}
        aria-label={`Answer ${participantName} about week ${weekNumber}`}
      >
        Answer
      </Button>
    );
  }
  const { tone, label } = questionLooks[status];
  return (
    <div>
      <StatusBadge tone={tone}>{label}</StatusBadge>
      <Text size="sm" c="dimmed" component="div" mt={4}>
        {answeredBy}, <DateTime value={answeredAt} />
      </Text>
      {answer ? (
        <Text size="sm" style={written}>
          {answer}
        </Text>
      ) : null}
    </div>
  );
}
