import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';

/**
 * Gives three accepted submissions of week 1 the statuses that a review no longer sets (reviewed, approved, graded) but
 * that the product still shows. No act makes them. The round keeps 'accepted', because its review said so and a round
 * never changes.
 */
export async function markEarlierStatuses(db: Db, cohortId: string): Promise<void> {
  await sql`
    with chosen as (
      select submission.id, row_number() over (order by submission.submitted_at, submission.id) as place
      from content_submissions submission
      join content_assignments assignment on assignment.id = submission.assignment_id
      join content_items item on item.id = assignment.content_item_id
      join training_activities activity on activity.id = item.training_activity_id
      join profiles on profiles.id = submission.user_id
      where activity.cohort_id = ${cohortId} and activity.week_number = 1 and submission.status = 'accepted'
        and profiles.email <> 'participant@demo.example'
      order by submission.submitted_at, submission.id limit 3
    )
    update content_submissions submission set status = (array['reviewed', 'approved', 'graded'])[chosen.place]
    from chosen where submission.id = chosen.id`.execute(db);
}
