import { Alert, Button, Group, Kbd, NumberInput, Radio, Stack, Text, Title } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { type FormEvent, useRef, useState } from 'react';
import type { ResponseOf } from '#contract/endpoint.ts';
import { type readSubmission, reviewStatuses, reviewSubmission } from '#contract/reviews.ts';
import { useAction } from '../../api/use-action.ts';
import { LongText } from '../../ui/LongText.tsx';
import { limitOf, surplusInWords } from '../../ui/text-limit.ts';
import { showToast } from '../../ui/toast.tsx';
import { useLetterKeys } from '../../ui/use-letter-keys.ts';
import { withInserted } from './insert-text.ts';
import classes from './ReviewDialog.module.css';
import { ReviewFeedback } from './ReviewFeedback.tsx';
import { SavedCommentsButton } from './SavedCommentsButton.tsx';
import { statusNames } from './status-names.ts';
import type { ReviewDraft, ReviewWords } from './use-review-draft.ts';
import type { SentReview } from './use-taking-back.ts';

/** The dialog below stays open while Escape closes the saved comments. */
export interface CommentsState {
  areOpen: boolean;
  open: (areOpen: boolean) => void;
}

interface ReviewFormProps {
  submission: ResponseOf<typeof readSubmission>;
  draft: ReviewDraft;
  onSent: (sent: SentReview) => void;
  comments: CommentsState;
  onDone: () => void;
  onNext: (() => void) | null;
}

const meanings: Record<(typeof reviewStatuses)[number], string> = {
  needs_revision: 'The participant improves it and hands it in again.',
  accepted: 'It is complete.',
  rejected: 'It does not count; the participant may hand in something else.',
};

const longestFeedback = limitOf(reviewSubmission.body, 'feedback');
/** The contract takes no more. */
const mostPoints = 99_999.99;

/** SUBM-09 to SUBM-13 */
export function ReviewForm({ submission, draft, comments, onSent, onDone, onNext }: ReviewFormProps) {
  const { id, roundNumber, maxPoints } = submission;
  const { words, change } = draft;
  const [problem, setProblem] = useState<string | null>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const points = useRef<HTMLInputElement>(null);
  const hasTooMany = words.pointsEarned !== null && words.pointsEarned > maxPoints;
  const after = useRef(onDone);

  const { run, isRunning } = useAction(reviewSubmission, {
    onSuccess: (reply) => {
      draft.forget();
      onSent({ ...reply, participantName: submission.participantName });
      after.current();
    },
    failureTitle: 'Review Failed',
  });

  const send = (then: () => void) => {
    if (!words.feedback.trim()) {
      setProblem('Please provide feedback');
      showToast({ type: 'error', title: 'Missing Feedback', message: 'Please provide feedback' });
      field.current?.focus();
      return;
    }
    if (surplusInWords(words.feedback, longestFeedback)) {
      field.current?.focus();
      return;
    }
    if (hasTooMany) {
      points.current?.focus();
      return;
    }
    after.current = then;
    const { status, feedback, pointsEarned } = words;
    run({ params: { id }, body: { status, feedback, pointsEarned, roundNumber: words.roundNumber } });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send(onNext ?? onDone);
  };
  // After the outcome come the words about it.
  const choose = (status: ReviewWords['status']) => () => {
    change({ status });
    field.current?.focus();
  };
  const { areOpen: areCommentsOpen, open: openComments } = comments;
  useLetterKeys(reviewStatuses.map((status, index) => [`${index + 1}`, choose(status)]));
  useHotkeys([['Escape', () => openComments(false)]], []);
  useHotkeys([['mod+Enter', () => areCommentsOpen || send(onNext ?? onDone)]], []);
  // Where the cursor was when the field lost the focus. At first it is at the end.
  const cursor = useRef<number | null>(null);
  const insert = (comment: string) => {
    const put = withInserted(words.feedback, comment, cursor.current ?? words.feedback.length);
    change({ feedback: put.text });
    setProblem(null);
    openComments(false);
    cursor.current = put.cursor;
    // The list gives the focus back to its button first.
    setTimeout(() => {
      field.current?.focus();
      field.current?.setSelectionRange(put.cursor, put.cursor);
    });
  };

  return (
    <form onSubmit={submit} aria-labelledby="review-form" noValidate>
      <Stack gap="md">
        <Title order={3} id="review-form">
          Your review
        </Title>
        {draft.hasWords && words.roundNumber !== roundNumber ? (
          <NewerRound submission={submission} onGoOn={() => change({ roundNumber })} />
        ) : null}
        <Radio.Group
          label="Evaluation status"
          description={meanings[words.status]}
          value={words.status}
          onChange={(chosen) => change({ status: reviewStatuses.find((known) => known === chosen) ?? words.status })}
        >
          <Group gap="sm" mt="xs" style={{ rowGap: 0 }}>
            {reviewStatuses.map((value) => (
              <Radio key={value} value={value} label={statusNames[value]} />
            ))}
          </Group>
        </Radio.Group>
        <LongText
          ref={field}
          label="Feedback"
          description="The participant reads exactly what you write here."
          onBlur={({ currentTarget }) => {
            cursor.current = currentTarget.selectionEnd;
          }}
          autosize
          minRows={5}
          maxRows={14}
          maxLength={longestFeedback}
          value={words.feedback}
          onChange={({ currentTarget }) => {
            change({ feedback: currentTarget.value });
            setProblem(null);
          }}
          error={problem}
        />
        <Group justify="flex-end" mt={-8}>
          <SavedCommentsButton
            isOpen={areCommentsOpen}
            onOpen={openComments}
            facts={{
              'first name': submission.participantFirstName,
              assignment: submission.assignmentTitle,
              week: `Week ${submission.weekNumber}`,
            }}
            feedback={words.feedback}
            onInsert={insert}
          />
        </Group>
        <NumberInput
          ref={points}
          label={`Points earned (of ${maxPoints})`}
          description="Optional; shown to the participant."
          hideControls
          min={0}
          max={maxPoints}
          decimalScale={2}
          clampBehavior="none"
          allowNegative={false}
          isAllowed={({ floatValue }) => floatValue === undefined || floatValue <= mostPoints}
          error={hasTooMany ? `This assignment is worth up to ${maxPoints} points.` : undefined}
          value={words.pointsEarned ?? ''}
          onChange={(points) => change({ pointsEarned: typeof points === 'number' ? points : null })}
          maw={240}
        />
        <Group gap="sm" justify="flex-end" className={classes.actions}>
          <Group w="100%" gap="sm" justify="flex-end">
            <Text size="sm" c="dimmed" visibleFrom="md" mr="auto">
              <Kbd>1</Kbd> to <Kbd>3</Kbd> choose, <Kbd>Ctrl</Kbd> + <Kbd>Enter</Kbd> sends
            </Text>
            <Text size="sm" c="dimmed" role="status">
              {stateInWords(draft)}
            </Text>
          </Group>
          {onNext ? (
            <>
              <Button variant="default" onClick={() => send(onDone)} loading={isRunning}>
                Submit Review
              </Button>
              <Button type="submit" loading={isRunning}>
                Submit and Next
              </Button>
            </>
          ) : (
            <Button type="submit" loading={isRunning}>
              Submit Review
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}

/** The other reviewer's decision about the round that this one was reading. */
function NewerRound({
  submission: { roundNumber, rounds, maxPoints },
  onGoOn,
}: Pick<ReviewFormProps, 'submission'> & { onGoOn: () => void }) {
  const reviewed = rounds.find((round) => round.feedback !== null);
  return (
    <Alert color="yellow" title={`Round ${roundNumber} was handed in while you were writing`} role="alert">
      <Stack gap="sm" align="flex-start">
        {reviewed?.feedback ? (
          <>
            <Text size="sm">Round {reviewed.roundNumber} was reviewed while you were writing:</Text>
            <ReviewFeedback {...reviewed} feedback={reviewed.feedback} maxPoints={maxPoints} />
          </>
        ) : null}
        <Text size="sm">Your text is about an earlier round. Read the new one before you decide.</Text>
        <Button variant="default" size="sm" onClick={onGoOn}>
          Use my text for round {roundNumber}
        </Button>
      </Stack>
    </Alert>
  );
}

function stateInWords({ words, hasWords, isSaved, isKept }: ReviewDraft): string {
  if (surplusInWords(words.feedback, longestFeedback)) return 'The draft is saved once it is short enough.';
  if (isSaved) return hasWords ? 'Draft saved. Nobody else sees it.' : 'What you write is kept as a draft.';
  return isKept ? 'Saving the draft…' : 'The draft is not saved yet: please stay on this page.';
}
