import { expect, test } from 'vitest';
import { draw } from '#test/support/draw.tsx';
import { answerColumns } from './answer-columns.tsx';
import { DataTable } from './DataTable.tsx';

const row = {
  id: 'one',
  participantName: 'Robin Reyes',
  answer: 'The list was wrong.',
  answeredAt: '2025-10-08T14:00:00Z',
  answeredBy: 'Nora Nye',
};

test('an answer stands in a row with its status, its day and who gave it; without one the row says only what became of it', () => {
  const { container } = draw(
    <DataTable
      label="Requests"
      columns={answerColumns<typeof row | (Omit<typeof row, 'answer'> & { answer: null })>(({ answer }) =>
        answer ? { tone: 'success', label: 'Answered' } : { tone: 'neutral', label: 'Taken back' },
      )}
      rows={[row, { ...row, id: 'two', answer: null }]}
      keyOf={({ id }) => id}
      minWidth={400}
    />,
  );
  const cells = [...container.querySelectorAll('tbody tr')].map((line) =>
    [...line.querySelectorAll('td')].map(({ textContent }) => textContent),
  );
  expect(cells).toEqual([
    [expect.stringContaining('The list was wrong.'), expect.stringMatching(/^Answered.*8 Oct.*, Nora Nye$/)],
    ['', expect.stringMatching(/^Taken back.*8 Oct.*, Nora Nye$/)],
  ]);
});
