import { QueryClientProvider } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import type { ResponseOf } from '#contract/endpoint.ts';
import type { readSubmission } from '#contract/reviews.ts';
import { draw } from '#test/support/draw.tsx';
import { queryClient } from '../../api/query-for.ts';
import { TextInRow } from '../../ui/TextInRow.tsx';
import { ReviewedWork } from './ReviewedWork.tsx';
import { SubmissionRounds } from './SubmissionRounds.tsx';

const text = '<img src=x onerror=alert(1)> my text';
const feedback = '<script>alert(2)</script> & <b>my words</b>';

test('SEC-20 markup in a submitted text, in feedback and in instructions is never drawn; the first two are shown as typed', () => {
  const round = {
    roundNumber: 1,
    text,
    file: null,
    submittedAt: '2026-03-02T15:00:00Z',
    reviewStatus: 'needs_revision' as const,
    reviewedAt: '2026-03-03T15:00:00Z',
    reviewerName: 'Nora Nye',
    feedback,
    pointsEarned: null,
    correction: null,
  };
  const submission: ResponseOf<typeof readSubmission> = {
    id: '0190b7a0-0000-7000-8000-000000000001',
    assignmentId: '0190b7a0-0000-7000-8000-000000000002',
    participantId: '0190b7a0-0000-7000-8000-000000000003',
    status: 'submitted',
    feedback,
    pointsEarned: null,
    hasFile: false,
    fileId: null,
    claim: null,
    hasOwnDraft: false,
    can: { review: true, correct: false, resubmit: false, openPerson: false },
    draft: null,
    assignmentTitle: 'Report',
    participantName: 'Robin Reyes',
    participantFirstName: 'Robin',
    takeBackUntil: null,
    weekNumber: 1,
    activityTitle: 'Lab',
    submittedAt: round.submittedAt,
    roundNumber: 2,
    maxPoints: 10,
    instructions: 'Name [it](javascript:alert(3)) well <iframe src="https://elsewhere.example"></iframe>',
    rounds: [{ ...round, roundNumber: 2, feedback: null, reviewStatus: null }, round],
  };
  const { container: drawn } = draw(
    <QueryClientProvider client={queryClient}>
      <ReviewedWork submission={submission} />
      <SubmissionRounds rounds={[round]} maxPoints={10} isNewestOpen />
      <TextInRow name="the feedback on Report">{feedback}</TextInRow>
    </QueryClientProvider>,
  );
  const words = drawn.textContent ?? '';
  expect(words.split(text)).toHaveLength(4);
  expect(words.split(feedback)).toHaveLength(5);
  expect(words).toContain('Name it well');
  expect(drawn.querySelector('img, script, iframe, b, [onerror], a[href^=javascript]')).toBeNull();
});
