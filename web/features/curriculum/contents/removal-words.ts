import type { ManagedAssignment, ManagedContent } from '#contract/contents.ts';
import { counted } from '../../../ui/counted.ts';

type Work = Pick<ManagedAssignment, 'submissions' | 'drafts'>;

/** Says what would go with a content item, before it goes (CONT-25). */
export function contentRemovalWords({ assignments, ticks }: Pick<ManagedContent, 'assignments' | 'ticks'>): string[] {
  const marks = ticks === 0 ? [] : [tickWords(ticks)];
  if (assignments.length === 0) return ['It has no assignments.', ...marks];
  const total = assignments.reduce<Work>(
    (sum, { submissions, drafts }) => ({ submissions: sum.submissions + submissions, drafts: sum.drafts + drafts }),
    { submissions: 0, drafts: 0 },
  );
  return [
    `Its assignments will be removed too: ${counted(assignments.length, 'assignment')}.`,
    ...workWords(total, 'Assignments that people worked on are'),
    ...marks,
  ];
}

function tickWords(ticks: number): string {
  const people = ticks === 1 ? '1 person has' : `${ticks.toLocaleString('en-US')} people have`;
  return `${people} marked it as done: it is archived with what they marked, and hidden from everybody.`;
}

export function assignmentRemovalWords(work: Work): string[] {
  return work.submissions + work.drafts === 0 ? ['Nobody has worked on it.'] : workWords(work, 'The assignment is');
}

function workWords({ submissions, drafts }: Work, what: string): string[] {
  if (submissions + drafts === 0) return ['Nobody has worked on them.'];
  const work = [
    submissions > 0 ? `${counted(submissions, 'submission')} handed in` : null,
    drafts > 0 ? `${counted(drafts, 'draft')} started` : null,
  ];
  return [
    `There ${submissions + drafts === 1 ? 'is' : 'are'} ${work.filter(Boolean).join(' and ')}. No work is lost: it stays for its owner and for reviewers.`,
    `${what} archived, hidden from everybody else, and no longer counted for stipends that are still to be decided.`,
  ];
}
