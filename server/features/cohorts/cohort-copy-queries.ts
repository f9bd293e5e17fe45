import { type Expression, sql } from 'kysely';

/** Rows of these tables tell what people did in a cohort, or were paid for. */
export const cohortFactTables = [
  'attendance_corrections',
  'attendance_records',
  'participant_module_completions',
  'performance_feedback',
  'stipend_eligibility',
  'stipend_handovers',
  'stipend_questions',
  'track_selections',
] as const;

/** True if people did something for an activity, or for a content item or an assignment of it. */
const workOfActivity = sql`
  exists (select from attendance_records where content_id = activity.id)
  or exists (select from attendance_corrections where activity_id = activity.id)
  or exists (select from content_items item where item.training_activity_id = activity.id and (
    exists (select from content_ticks tick where tick.content_item_id = item.id)
    or exists (select from content_assignments assignment where assignment.content_item_id = item.id and (
      exists (select from content_submissions where assignment_id = assignment.id)
      or exists (select from assignment_drafts where assignment_id = assignment.id)))))`;

export interface CopyUses {
  members: number;
  /** Activities in the cohort that the copy did not make. */
  added: number;
  /** Counts activities that somebody did something for. */
  worked: number;
  hasFacts: boolean;
}

/** Returns what an undo of the copy that made a cohort would destroy, as JSON. */
export function copyUses(cohortId: Expression<string>, copyId: Expression<string>) {
  const facts = sql.join(
    cohortFactTables.map(
      (table) => sql`exists (select from ${sql.table(table)} fact where fact.cohort_id = ${cohortId})`,
    ),
    sql` or `,
  );
  return sql<CopyUses>`(select json_build_object(
    'members', (select count(*) from cohort_participants member where member.cohort_id = ${cohortId}),
    'added', count(*) filter (where activity.copy_id is distinct from ${copyId}),
    'worked', count(*) filter (where ${workOfActivity}),
    'hasFacts', ${facts})
    from training_activities activity where activity.cohort_id = ${cohortId})`;
}

/** Returns why a copy can no longer be undone, or null. */
export function copyStaysBecause(name: string, { members, added, worked, hasFacts }: CopyUses): string | null {
  if (members > 0) {
    return `${members.toLocaleString('en-US')} ${members === 1 ? 'person is or was' : 'people are or were'} enrolled in ${name}, so its copy stays.`;
  }
  if (added > 0) {
    const activities = added === 1 ? '1 activity was' : `${added.toLocaleString('en-US')} activities were`;
    return `${activities} added to ${name} since it was copied. Delete or move what was added, then you can undo the copy.`;
  }
  if (worked > 0) {
    const activities = worked === 1 ? '1 activity of' : `${worked.toLocaleString('en-US')} activities of`;
    return `${activities} ${name} ${worked === 1 ? 'holds' : 'hold'} work of people, so its copy stays.`;
  }
  return hasFacts ? `There are records of attendance or pay in ${name}, so its copy stays.` : null;
}
