import { Anchor, Button, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { StipendQuestion } from '#contract/stipend-questions.ts';
import { paths } from '../../app/paths.ts';
import { answerColumns } from '../../ui/answer-columns.tsx';
import { type Column, DataTable } from '../../ui/DataTable.tsx';
import { formatDateTime, formatDay } from '../../ui/dates.ts';
import { TextInRow } from '../../ui/TextInRow.tsx';
import { TwoLines } from '../../ui/TwoLines.tsx';
import { questionLooks } from './own-week-words.ts';

interface StipendQuestionTableProps {
  rows: StipendQuestion[];
  onAnswer: (question: StipendQuestion) => void;
}

export function StipendQuestionTable({ rows, onAnswer }: StipendQuestionTableProps) {
  const isAnswered = rows.some(({ status }) => status !== 'open');
  return (
    <DataTable
      label="Questions about stipends"
      columns={[
        ...askedColumns,
        ...(isAnswered ? answerColumns<StipendQuestion>(({ status }) => questionLooks[status]) : [actColumn(onAnswer)]),
      ]}
      rows={rows}
      keyOf={({ id }) => id}
      minWidth={860}
    />
  );
}

type QuestionColumn = Column<StipendQuestion>;

const askedColumns: QuestionColumn[] = [
  {
    key: 'participant',
    label: 'Participant',
    width: 228,
    onPhone: 'first',
    cell: (row) => (
      <TwoLines
        first={<Asker row={row} />}
        second={`${formatDay(row.askedAt)} · ${coachOf(row)}`}
        secondInFull={`Asked ${formatDateTime(row.askedAt)}, ${coachOf(row)}`}
      />
    ),
    cellOnPhone: (row) => <TwoLines first={<Asker row={row} />} />,
  },
  {
    key: 'question',
    label: 'Question',
    onPhone: 'below',
    cell: ({ question, participantName }) => <TextInRow name={questionOf(participantName)}>{question}</TextInRow>,
    // A phone reads the week with the whole question.
    cellOnPhone: ({ question, facts, participantName }) => (
      <TextInRow name={questionOf(participantName)}>
        {question}
        <Text span inherit c="dimmed">
          {['', ...facts].join('\n')}
        </Text>
      </TextInRow>
    ),
  },
  {
    key: 'facts',
    label: 'The week as they saw it',
    onPhone: 'secondRest',
    cell: ({ facts, participantName }) => (
      <TextInRow name={`the week of ${participantName}`} isDimmed>
        {facts.join('\n')}
      </TextInRow>
    ),
    cellOnPhone: (row) => (
      <TwoLines first={`Week ${row.weekNumber} · asked ${formatDay(row.askedAt)}`} second={coachOf(row)} />
    ),
  },
];

function actColumn(onAnswer: StipendQuestionTableProps['onAnswer']): QuestionColumn {
  return {
    key: 'act',
    label: 'Answer',
    width: 104,
    onPhone: 'firstEnd',
    cell: (row) => (
      <Button
        size="compact-md"
        fz="sm"
        onClick={() => onAnswer(row)}
        aria-label={`Answer ${row.participantName} about week ${row.weekNumber}`}
      >
        Answer
      </Button>
    ),
  };
}

function Asker({ row: { participantId, participantName } }: { row: StipendQuestion }) {
  return (
    <Anchor component={Link} to={paths.stipendsOf(participantId)} fw={600} title={participantName}>
      {participantName}
    </Anchor>
  );
}

const noCoach = 'No coach assigned';

function coachOf({ coachName }: StipendQuestion): string {
  return coachName === noCoach ? noCoach : `Coach: ${coachName}`;
}

function questionOf(participantName: string): string {
  return `the question of ${participantName}`;
}
