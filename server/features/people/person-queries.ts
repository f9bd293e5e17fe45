import { sql } from 'kysely';
import type { ReplyOf } from '#contract/endpoint.ts';
import { houseZone } from '#contract/house-zone.ts';
import type { OpenMatters } from '#contract/open-matters.ts';
import { paidDaysOn } from '#contract/pay-periods.ts';
import type { readPerson } from '#contract/people.ts';
import { dayAt } from '#contract/weeks.ts';
import { builtOnce } from '#server/db/built-once.ts';
import type { Db } from '#server/db/database.ts';
import { findActiveCohort } from '#server/features/cohorts/cohort-queries.ts';
import { findStanding } from '#server/features/learning/fellowship-queries.ts';
import { findParticipantStipendWeek } from '#server/features/stipends/stipend-week-queries.ts';
import { isAtRisk } from '#server/features/stipends/week-risk-queries.ts';
import { findUser } from '#server/features/users/user-list-queries.ts';
import type { Actor } from '#server/platform/actor.ts';
import { now } from '#server/platform/clock.ts';
import {
  attended,
  dueAssignments,
  handedIn,
  isSilent,
  missedActivities,
  missedSessions,
  overdueAssignments,
  ownMemberships,
  taughtActivities,
} from './attention-queries.ts';
import { loadPerson, mayReadNotes } from './person-access.ts';

type Reply = ReplyOf<typeof readPerson>;

const noActs = { changeRole: false, delete: false, enrol: false, resendInvitation: false };

/** Takes seven statements for a participant of a cohort. */
export async function findPerson(db: Db, actor: Actor, id: string): Promise<Reply> {
  const { phone, coachIds, mayWrite } = await loadPerson(db, actor, id);
  const user = await findUser(db, actor, id);
  const isAdmin = actor.role === 'admin';
  // What a coach sees is about that coach. An admin sees what the person's coach sees.
  const coachId = isAdmin ? (user.coach?.id ?? coachIds[0] ?? null) : actor.id;
  return {
    person: { ...user, phone, can: isAdmin ? user.can : noActs },
    standing: user.role === 'participant' ? await standingOf(db, id, coachId) : null,
    can: { manage: isAdmin, message: mayWrite, readNotes: mayReadNotes(actor, id) },
  };
}

async function standingOf(db: Db, id: string, coachId: string | null): Promise<Reply['standing']> {
  const at = now();
  const cohort = await findActiveCohort(db, id);
  if (!cohort) return null;
  const { weekNumber } = paidDaysOn(cohort.startDate, dayAt(at, cohort.calendar.zone), cohort.calendar);
  const [{ progress, selection }, isStipendAtRisk, week, matters] = await Promise.all([
    findStanding(db, { participantId: id, cohortId: cohort.id }),
    isAtRisk(db, id),
    findParticipantStipendWeek(db, id, { cohortId: cohort.id, weekNumber }),
    findMatters(db, id, { coachId, at }),
  ]);
  return {
    cohort: { id: cohort.id, name: cohort.name, startDate: cohort.startDate },
    weekNumber,
    progress,
    track: selection && { name: selection.track.name, isLocked: selection.isLocked },
    isStipendAtRisk,
    week,
    ...matters,
  };
}

async function findMatters(db: Db, id: string, { coachId, at }: { coachId: string | null; at: Date }) {
  const [matters] = await mattersOf(db, { id, coachId, at, today: dayAt(at, houseZone) });
  if (!matters) throw new Error('The person was there a statement ago.');
  return matters;
}

interface Asked {
  id: string;
  coachId: string | null;
  at: Date;
  today: string;
}

const mattersOf = builtOnce(
  (_, { id, coachId, at, today }: Asked) => sql<OpenMatters>`
    with own as (
      select profiles.id, profiles.track_type,
        (select max(start_date) from user_courses
          where user_id = profiles.id and coach_id = ${coachId} and status = 'enrolled') as start_date
      from profiles where id = ${id}
    ), joined as materialized ${ownMemberships}, taught as materialized ${taughtActivities},
    due as materialized ${dueAssignments(today)}
    select ${missedActivities(today)} as missed_activities, ${overdueAssignments} as overdue_assignments,
      handed_in.to_revise as submissions_to_revise,
      ${missedSessions({ id: coachId }, at)} as missed_sessions, ${isSilent(at)} as is_silent
    from own cross join lateral ${handedIn} handed_in cross join lateral ${attended} attended`,
);
