import type { ResponseOf } from '#contract/endpoint.ts';
import type { readAssignment } from '#contract/submissions.ts';

export type Assignment = ResponseOf<typeof readAssignment>;
export type OwnSubmission = NonNullable<Assignment['submission']>;

type Form = 'first' | 'again' | 'none' | 'wrong link';

/** ASSIGN-03, ASSIGN-04, ASSIGN-07, ASSIGN-08: picks the participant's form. `resubmit` comes from the address. */
export function formFor({ can, submission }: Pick<Assignment, 'can' | 'submission'>, resubmit: string | null): Form {
  if (resubmit === null) return can.submit ? 'first' : 'none';
  return can.resubmit && submission?.id === resubmit ? 'again' : 'wrong link';
}
