import { type Expression, type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import type { SubmissionStatus, submissionOrders } from '#contract/submissions.ts';
import type { WaitingAge } from '#contract/waiting-age.ts';
import type { Db } from '#server/db/database.ts';
import type { DB } from '#server/db/schema.gen.ts';
import { isOwnParticipant, ownParticipants } from '#server/features/coaching/coaching-access.ts';
import type { Actor } from '#server/platform/actor.ts';
import { byId, byInstant, descending, pagesBy } from '#server/platform/pages.ts';
import { foldedWordsOf, isFoundByWords } from '#server/platform/search-pattern.ts';
import { isOfAge } from '#server/platform/waiting-age.ts';
import { visibleSubmissions } from './submission-access.ts';

const pageSize = 30;
/** A cursor has the time to the microsecond, because the database orders by it. */
const at = byInstant(sql`content_submissions.submitted_at`);
const id = byId(sql`content_submissions.id`);
export const pagesIn: Record<Choice['order'], ReturnType<typeof pagesBy>> = {
  newest: pagesBy(pageSize, [descending(at), descending(id)]),
  oldest: pagesBy(pageSize, [at, id]),
};
/** If a search finds more people and assignments than this, a walk along the whole list fills the page sooner. */
const fewMatches = 200;

export interface Choice {
  order: (typeof submissionOrders)[number];
  isMine: boolean;
  status?: SubmissionStatus | undefined;
  search?: string | undefined;
  age?: WaitingAge | undefined;
  assignmentId?: string | undefined;
  participantIds?: string[] | undefined;
  cursor?: string | undefined;
}

type Viewer = Pick<Actor, 'id' | 'role' | 'trackType'>;
type Source = SelectQueryBuilder<DB, 'contentSubmissions', object>;
/** The ids of a page and of one more row. */
type Page = RawBuilder<{ id: string }>;

/**
 * For every choice, each part of the page is read in the order of an index and ends with the page. A part is the whole
 * list, one assignment, or one person. The other columns are joined to the page only.
 */
export function pageOf(db: Db, actor: Viewer, choice: Choice): Page {
  const { isMine, search, assignmentId, participantIds } = choice;
  const chosen = chosenOf(db, actor, choice);
  const found = search ? chosen.where(isAbout(db, search)) : chosen;
  if (actor.role === 'participant' || assignmentId) return sql`${inOrder(found, choice)}`;
  if (isMine) return ofEach(sql`${ownParticipants(db, actor).select('profiles.id').distinct()}`, found, choice);
  if (participantIds) return ofEach(sql`(select unnest(${participantIds}::uuid[]) as id)`, found, choice);
  return search ? searched(db, { chosen, found, search }, choice) : sql`${inOrder(found, choice)}`;
}

function chosenOf(
  db: Db,
  actor: Viewer,
  { isMine, status, age, assignmentId, participantIds, cursor, order }: Choice,
): Source {
  return visibleSubmissions(db, actor)
    .$if(isMine, (query) => query.where(isOwnParticipant(db, actor, sql.ref('content_submissions.user_id'))))
    .$if(status !== undefined, (query) => query.where('contentSubmissions.status', '=', status ?? ''))
    .$if(assignmentId !== undefined, (query) => query.where('contentSubmissions.assignmentId', '=', assignmentId ?? ''))
    .$if(participantIds !== undefined, (query) =>
      query.where('contentSubmissions.userId', '=', sql<string>`any(${participantIds}::uuid[])`),
    )
    .where(isOfAge(sql`content_submissions.submitted_at`, age))
    .where(pagesIn[order].comesAfter(cursor));
}

function inOrder(source: Source, { order }: Choice) {
  return source
    .select(['contentSubmissions.id', 'contentSubmissions.submittedAt'])
    .orderBy(pagesIn[order].inOrder)
    .limit(pagesIn[order].most);
}

/** Takes a page of each person, and from these the page. */
function ofEach(people: Expression<unknown>, source: Source, choice: Choice): Page {
  return sql`(select found.id from ${people} as person cross join lateral ${ofPerson(source, choice)} as found
    ${order(choice)})`;
}

function ofPerson(source: Source, choice: Choice) {
  return inOrder(source.where('contentSubmissions.userId', '=', sql.ref<string>('person.id')), choice);
}

/**
 * Takes a page of each person and each assignment that a search finds. If it finds many, walks along the whole list.
 */
function searched(
  db: Db,
  { chosen, found, search }: Record<'chosen' | 'found', Source> & { search: string },
  choice: Choice,
): Page {
  const ofWork = inOrder(chosen.where('contentSubmissions.assignmentId', '=', sql.ref<string>('work.id')), choice);
  const areFew = sql`(select count(*) from people) + (select count(*) from work) <= ${sql.lit(fewMatches)}`;
  return sql`(
    with people as materialized ${peopleNamed(db, search)}, work as materialized ${workCalled(db, search)}
    select found.id from (
      select found.* from people as person cross join lateral ${ofPerson(chosen, choice)} as found where ${areFew}
      union
      select found.* from work cross join lateral ${ofWork} as found where ${areFew}
      union
      ${inOrder(found.where(sql<SqlBool>`not (${areFew})`), choice)}
    ) as found
    ${order(choice)})`;
}

function order({ order: chosen }: Choice) {
  const direction = chosen === 'oldest' ? sql`asc` : sql`desc`;
  return sql`order by found.submitted_at ${direction}, found.id ${direction} limit ${sql.lit(pagesIn[chosen].most)}`;
}

function isAbout(db: Db, search: string) {
  return sql<SqlBool>`(content_submissions.user_id in ${peopleNamed(db, search)}
    or content_submissions.assignment_id in ${workCalled(db, search)})`;
}

function peopleNamed(db: Db, search: string) {
  return db.selectFrom('profiles').select('profiles.id').where(isFoundByWords(search));
}

function workCalled(db: Db, search: string) {
  return db
    .selectFrom('contentAssignments')
    .innerJoin('contentItems', 'contentItems.id', 'contentAssignments.contentItemId')
    .innerJoin('trainingActivities', 'trainingActivities.id', 'contentItems.trainingActivityId')
    .select('contentAssignments.id')
    .where(isFoundByWords(search, foldedWordsOf(['content_assignments.title', 'training_activities.title'])));
}
