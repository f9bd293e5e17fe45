import type { ParticipantDashboard } from '#contract/home.ts';
import { returnedLabel } from '#contract/work-standing.ts';
import { paths } from '../../app/paths.ts';

export type NextStep = NonNullable<ParticipantDashboard['nextStep']>;

const words = {
  activity: { lead: 'Next: take part in', verb: 'Open activity' },
  pastActivity: { lead: 'Next: catch up on', verb: 'Open activity' },
  assignment: { lead: 'Next: hand in', verb: 'Open assignment' },
  resubmit: { lead: returnedLabel, verb: 'Revise and resubmit' },
};

export const nothingLeft = "You're done for this week. Well done.";

/** Nobody can take part in a past activity, so its words differ. */
export function wordsOf({ kind, dueDate }: NextStep, today: string) {
  return kind === 'activity' && dueDate !== null && dueDate < today ? words.pastActivity : words[kind];
}

export function targetOf({ kind, id, submissionId }: NextStep): string {
  if (kind === 'activity') return paths.activity(id);
  return submissionId ? paths.resubmit(id, submissionId) : paths.assignment(id);
}
