import { SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ResponseOf } from '#contract/endpoint.ts';
import { readSubmission } from '#contract/reviews.ts';
import { queryFor } from '../../api/query-for.ts';
import { LoadedParts } from '../../ui/Loaded.tsx';
import classes from './ReviewDialog.module.css';
import { ReviewedWork } from './ReviewedWork.tsx';
import { type CommentsState, ReviewForm } from './ReviewForm.tsx';
import { ReviewOutcome } from './ReviewOutcome.tsx';
import { useReviewClaim } from './use-review-claim.ts';
import { useReviewDraft } from './use-review-draft.ts';
import type { SentReview, TakingBack } from './use-taking-back.ts';

interface ReviewPanesProps {
  submissionId: string;
  userId: string;
  onSent: (sent: SentReview) => void;
  takingBack: TakingBack;
  comments: CommentsState;
  onDone: () => void;
  /** Opens the next submission that waits. Null if there is none. */
  onNext: (() => void) | null;
}

export function ReviewPanes({ submissionId, ...rest }: ReviewPanesProps) {
  const read = useQuery({
    ...queryFor(readSubmission, { params: { id: submissionId } }),
    // An older answer must never cover what another device or reviewer has written since.
    gcTime: 0,
  });
  return (
    <LoadedParts
      read={read}
      failure="Failed to load the submission"
      loading={{ label: 'Loading the submission', rows: 5 }}
    >
      {(submission) => <LoadedPanes submission={submission} {...rest} />}
    </LoadedParts>
  );
}

type LoadedPanesProps = Omit<ReviewPanesProps, 'submissionId'> & { submission: ResponseOf<typeof readSubmission> };

function LoadedPanes({ submission, userId, onSent, takingBack, comments, onDone, onNext }: LoadedPanesProps) {
  const [pane, setPane] = useState('work');
  const otherReviewer = useReviewClaim(submission);
  const draft = useReviewDraft(submission, userId);
  const isOpen = submission.status === 'submitted' && !otherReviewer;
  return (
    <>
      <SegmentedControl
        hiddenFrom="md"
        fullWidth
        aria-label="Part of the review"
        value={pane}
        onChange={setPane}
        data={[
          { value: 'work', label: 'Work' },
          { value: 'review', label: isOpen ? 'Your review' : 'Review' },
        ]}
      />
      <div className={classes.panes} data-pane={pane}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: The keyboard also scrolls a pane that scrolls. */}
        <section className={`${classes.pane} ${classes.work}`} aria-label="Work" tabIndex={0}>
          <ReviewedWork submission={submission} />
        </section>
        <section className={`${classes.pane} ${classes.review}`} aria-label="Review">
          {isOpen ? (
            <ReviewForm
              submission={submission}
              draft={draft}
              comments={comments}
              onSent={onSent}
              onDone={onDone}
              onNext={onNext}
            />
          ) : (
            <ReviewOutcome
              submission={submission}
              otherReviewer={otherReviewer}
              draft={draft}
              takingBack={takingBack}
              onNext={onNext}
            />
          )}
        </section>
      </div>
    </>
  );
}
