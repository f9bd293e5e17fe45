import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { ReplyOf } from '#contract/endpoint.ts';
import { type find as findEndpoint, mostFoundOfAKind } from '#contract/finding.ts';
import type { Role, TrackType } from '#contract/roles.ts';
import { builtOnceByRole } from '#server/db/built-once.ts';
import type { Db } from '#server/db/database.ts';
import { visibleActivities } from '#server/features/curriculum/curriculum-access.ts';
import { contactIds } from '#server/features/messages/message-access.ts';
import { visibleResources } from '#server/features/resources/resource-access.ts';
import { visibleAssignments } from '#server/features/submissions/submission-access.ts';
import type { Actor } from '#server/platform/actor.ts';
import { foldedAfterThePlan, hasPatterns, patternOf, patternsOf } from '#server/platform/search-pattern.ts';

/** Takes one statement. Each kind is what its own room lets the actor see. Titles that begin with the words come first. */
export async function find(db: Db, actor: Actor, words: string): Promise<ReplyOf<typeof findEndpoint>> {
  const patterns = patternsOf(words).map((pattern, place) => [`pattern${place}`, pattern] as const);
  const [found] = await foundBy(db, actor.role, {
    ...Object.fromEntries(patterns),
    id: actor.id,
    trackType: actor.trackType,
    beginning: patternOf(words).slice(1),
  });
  if (!found) throw new Error('A select of lists answered no row.');
  return found;
}

interface Asked {
  id: string;
  trackType: TrackType | null;
  /** The pattern of a text that begins with all words as they were typed. */
  beginning: string;
  /** Of each word. Their number is part of the statement's text. */
  [pattern: `pattern${number}`]: string;
}

const foundBy = builtOnceByRole((db, role, { id, trackType, beginning, ...patterns }: Asked) => {
  const viewer = { id, role, trackType };
  /** All that fits is read, because what begins with the words comes first. */
  const fits = (text: RawBuilder<unknown>) => hasPatterns(Object.values(patterns), text, foldedAfterThePlan);
  const beginsLate = (text: RawBuilder<unknown>) => sql<SqlBool>`${text} not like ${foldedAfterThePlan(beginning)}`;
  const people = findablePeople(db, viewer)
    .select(['profiles.id', 'profiles.fullName as title', sql<string>`profiles.email::text`.as('detail')])
    .select(sql<Role>`profiles.role`.as('role'))
    .where(fits(sql`profiles.search_text`))
    .orderBy(beginsLate(sql`profiles.search_text`))
    .orderBy('profiles.fullName')
    .orderBy('profiles.id')
    .limit(mostFoundOfAKind);
  const activities = visibleActivities(db, viewer)
    .select([
      'trainingActivities.id',
      'trainingActivities.title',
      sql<string>`'Week ' || training_activities.week_number`.as('detail'),
    ])
    .where(fits(activityWords))
    .orderBy(beginsLate(activityWords))
    .orderBy('trainingActivities.weekNumber')
    .orderBy('trainingActivities.id')
    .limit(mostFoundOfAKind);
  const assignments = visibleAssignments(db, viewer)
    .select(['contentAssignments.id', 'contentAssignments.title', 'trainingActivities.title as detail'])
    .where('contentAssignments.archivedAt', 'is', null)
    .where('contentItems.archivedAt', 'is', null)
    .where(fits(assignmentWords))
    .orderBy(beginsLate(assignmentWords))
    .orderBy('trainingActivities.weekNumber')
    .orderBy('contentAssignments.id')
    .limit(mostFoundOfAKind);
  const resources = visibleResources(db, viewer)
    .select(['resources.id', 'resources.title', 'resources.courseModule as detail', 'resources.fileUrl'])
    .where(fits(resourceWords))
    .orderBy(beginsLate(resourceWords))
    .orderBy('resources.title')
    .orderBy('resources.id')
    .limit(mostFoundOfAKind);
  return db.selectNoFrom([
    jsonArrayFrom(people).as('people'),
    jsonArrayFrom(activities).as('activities'),
    jsonArrayFrom(assignments).as('assignments'),
    jsonArrayFrom(resources).as('resources'),
  ]);
});

// The indexes of 0005-found-by-words.sql have these expressions.
const activityWords = sql`folded_words(training_activities.title)`;
const assignmentWords = sql`folded_words(content_assignments.title)`;
const resourceWords = sql`folded_words(resources.title)`;

function findablePeople(db: Db, actor: Pick<Actor, 'id' | 'role'>) {
  const people = db.selectFrom('profiles').where('profiles.deletedAt', 'is', null);
  return actor.role === 'admin' ? people : people.where('profiles.id', 'in', contactIds(db, actor));
}
