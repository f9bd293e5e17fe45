import type { Column } from './DataTable.tsx';
import { formatDay } from './dates.ts';
import { StatusBadge, type Tone } from './StatusBadge.tsx';
import { TextInRow } from './TextInRow.tsx';
import { TwoLines } from './TwoLines.tsx';

interface Answered {
  participantName: string;
  answer: string | null;
  answeredAt: string | null;
  answeredBy: string | null;
}

/** What became of what participants asked: the answer in words, and how it stands with who answered when. */
export function answerColumns<Row extends Answered>(
  lookOf: (row: Row) => { tone: Tone; label: string },
): Column<Row>[] {
  const standing = (row: Row) => {
    const { tone, label } = lookOf(row);
    return <StatusBadge tone={tone}>{label}</StatusBadge>;
  };
  return [
    {
      key: 'answer',
      label: 'Answer',
      onPhone: 'below',
      cell: ({ answer, participantName }) =>
        answer ? <TextInRow name={`the answer to ${participantName}`}>{answer}</TextInRow> : null,
      cellOnPhone: (row) => (
        <TextInRow name={`the answer to ${row.participantName}`}>
          <b>{answeredInWords(row)}</b>
          {row.answer ? `: ${row.answer}` : null}
        </TextInRow>
      ),
    },
    {
      key: 'standing',
      label: 'Status',
      width: 172,
      onPhone: 'firstEnd',
      cell: (row) => <TwoLines first={standing(row)} second={answeredInWords(row)} />,
      cellOnPhone: standing,
    },
  ];
}

function answeredInWords({ answeredAt, answeredBy }: Answered): string {
  return [formatDay(answeredAt), answeredBy].filter(Boolean).join(', ');
}
