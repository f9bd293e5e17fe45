import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { ReplyOf } from '#contract/endpoint.ts';
import { type find as findEndpoint, mostFoundOfAKind } from '#contract/finding.ts';
import type { Role } from '#contract/roles.ts';
import type { Db } from '#server/db/database.ts';
import { visibleActivities } from '#server/features/curriculum/curriculum-access.ts';
import { contactIds } from '#server/features/messages/message-access.ts';
import { visibleResources } from '#server/features/resources/resource-access.ts';
import { visibleAssignments } from '#server/features/submissions/submission-access.ts';
import type { Actor } from '#server/platform/actor.ts';
import { foldedAfterThePlan, isFoundByWords, patternOf } from '#server/platform/search-pattern.ts';

/** Takes one statement. Each kind is what its own room lets the actor see. Titles that begin with the words come first. */
export async function find(db: Db, actor: Actor, words: string): Promise<ReplyOf<typeof findEndpoint>> {
  const people = findablePeople(db, actor)
    .select(['profiles.id', 'profiles.fullName as title', sql<string>`profiles.email::text`.as('detail')])
    .select(sql<Role>`profiles.role`.as('role'))
    .where(fits(words, sql`profiles.search_text`))
    .orderBy(beginsLate(sql`profiles.search_text`, words))
    .orderBy('profiles.fullName')
    .orderBy('profiles.id')
    .limit(mostFoundOfAKind);
  const activities = visibleActivities(db, actor)
    .select([
      'trainingActivities.id',
      'trainingActivities.title',
      sql<string>`'Week ' || training_activities.week_number`.as('detail'),
    ])
    .where(fits(words, activityWords))
    .orderBy(beginsLate(activityWords, words))
    .orderBy('trainingActivities.weekNumber')
    .orderBy('trainingActivities.id')
    .limit(mostFoundOfAKind);
  const assignments = visibleAssignments(db, actor)
    .select(['contentAssignments.id', 'contentAssignments.title', 'trainingActivities.title as detail'])
    .where('contentAssignments.archivedAt', 'is', null)
    .where('contentItems.archivedAt', 'is', null)
    .where(fits(words, assignmentWords))
    .orderBy(beginsLate(assignmentWords, words))
    .orderBy('trainingActivities.weekNumber')
    .orderBy('contentAssignments.id')
    .limit(mostFoundOfAKind);
  const resources = visibleResources(db, actor)
    .select(['resources.id', 'resources.title', 'resources.courseModule as detail', 'resources.fileUrl'])
    .where(fits(words, resourceWords))
    .orderBy(beginsLate(resourceWords, words))
    .orderBy('resources.title')
    .orderBy('resources.id')
    .limit(mostFoundOfAKind);
  return db
    .selectNoFrom([
      jsonArrayFrom(people).as('people'),
      jsonArrayFrom(activities).as('activities'),
      jsonArrayFrom(assignments).as('assignments'),
      jsonArrayFrom(resources).as('resources'),
    ])
    .executeTakeFirstOrThrow();
}

// The indexes of 0005-found-by-words.sql have these expressions.
const activityWords = sql`folded_words(training_activities.title)`;
const assignmentWords = sql`folded_words(content_assignments.title)`;
const resourceWords = sql`folded_words(resources.title)`;

function findablePeople(db: Db, actor: Actor) {
  const people = db.selectFrom('profiles').where('profiles.deletedAt', 'is', null);
  return actor.role === 'admin' ? people : people.where('profiles.id', 'in', contactIds(db, actor));
}

/** All that fits is read, because what begins with the words comes first. */
function fits(words: string, text: RawBuilder<unknown>): RawBuilder<SqlBool> {
  return isFoundByWords(words, text, foldedAfterThePlan);
}

function beginsLate(text: RawBuilder<unknown>, words: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`${text} not like ${foldedAfterThePlan(patternOf(words).slice(1))}`;
}
