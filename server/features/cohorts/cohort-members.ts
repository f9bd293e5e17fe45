import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';
import { audit } from '#server/platform/audit.ts';
import { now } from '#server/platform/clock.ts';
import { AppError } from '#server/platform/errors.ts';
import { enqueue } from '#server/platform/jobs.ts';
import { changed } from '#server/platform/telling.ts';
import { findCohortMember, type Membership, memberGone } from './cohort-member-queries.ts';
import { lockCohorts, openStatuses } from './cohort-queries.ts';
import { memberChangedQueue } from './cohort-queue.ts';
import { cohortGone } from './cohort-setup-queries.ts';

/** The place is free from now on. What the person did in the cohort stays. */
export async function withdrawMember(db: Db, actor: Actor, membership: Membership, reason: string) {
  const cohort = await lockCohort(db, membership.cohortId);
  const before = await lockMember(db, membership);
  if (before.status !== 'active') throw new AppError('conflict', 'This person is no longer active in the cohort.');
  await setMembership(db, membership, { status: 'withdrawn', endedAt: now() });
  await audit(db, actor.id, {
    action: 'membership.withdraw',
    subjectType: 'user',
    subjectId: membership.participantId,
    before: { cohortId: cohort.id, membership: before.status },
    after: { cohortId: cohort.id, membership: 'withdrawn' },
    reason,
  });
  await tellMember(db, membership);
  return findCohortMember(db, membership);
}

/** Undoes a withdrawal if there is a place. */
export async function takeMemberBack(db: Db, actor: Actor, membership: Membership) {
  const cohort = await lockCohort(db, membership.cohortId);
  const before = await lockMember(db, membership);
  if (before.status !== 'withdrawn') throw new AppError('conflict', 'This person was not withdrawn from the cohort.');
  if (before.role !== 'participant' || before.deletedAt !== null) {
    throw new AppError('conflict', 'Only participants can be in a cohort, and this person is no longer one.');
  }
  if (!openStatuses.includes(cohort.status)) {
    throw new AppError('conflict', `${cohort.name} is ${cohort.status}, so it takes no new people.`);
  }
  if (cohort.currentEnrollment >= cohort.capacity) {
    throw new AppError(
      'conflict',
      `${cohort.name} is full: all ${cohort.capacity.toLocaleString('en-US')} places are taken.`,
    );
  }
  await setMembership(db, membership, { status: 'active', endedAt: null });
  await audit(db, actor.id, {
    action: 'membership.take_back',
    subjectType: 'user',
    subjectId: membership.participantId,
    before: { cohortId: cohort.id, membership: before.status },
    after: { cohortId: cohort.id, membership: 'active' },
  });
  await enqueue(db, memberChangedQueue, { participantId: membership.participantId });
  await tellMember(db, membership);
  return findCohortMember(db, membership);
}

async function lockCohort(db: Db, cohortId: string) {
  const [cohort] = await lockCohorts(db, [cohortId]);
  if (!cohort) throw cohortGone();
  return cohort;
}

async function lockMember(db: Db, { cohortId, participantId }: Membership) {
  const member = await db
    .selectFrom('cohortParticipants')
    .innerJoin('profiles', 'profiles.id', 'cohortParticipants.participantId')
    .select(['cohortParticipants.status', 'profiles.role', 'profiles.deletedAt'])
    .where('cohortId', '=', cohortId)
    .where('participantId', '=', participantId)
    .forUpdate()
    .executeTakeFirst();
  if (!member) throw memberGone();
  return member;
}

async function setMembership(
  db: Db,
  { cohortId, participantId }: Membership,
  facts: { status: 'active' | 'withdrawn'; endedAt: Date | null },
): Promise<void> {
  await db
    .updateTable('cohortParticipants')
    .set(facts)
    .where('cohortId', '=', cohortId)
    .where('participantId', '=', participantId)
    .execute();
}

function tellMember(db: Db, { participantId }: Membership): Promise<void> {
  return changed(db, ['enrolments', 'training'], [participantId]);
}
