import { sql } from 'kysely';
import { defaultProgrammeId } from '#contract/default-programme.ts';
import type { RuleDraft } from '#contract/programmes.ts';
import { addDays } from '#contract/weeks.ts';
import { instantIn } from '#contract/zones.ts';
import type { Db } from '#server/db/database.ts';
import { createCohort } from '#server/features/cohorts/cohorts.ts';
import { excuseAbsence } from '#server/features/learning/attendance-excuses.ts';
import { findProgramme } from '#server/features/programmes/programme-queries.ts';
import { copyProgramme, updateProgramme } from '#server/features/programmes/programmes.ts';
import { publish, saveDraft } from '#server/features/stipends/rule-publications.ts';
import { processWeek } from '#server/features/stipends/stipends.ts';
import type { Actor } from '#server/platform/actor.ts';
import { now, standingAt } from '#server/platform/clock.ts';
import { newId } from '#server/platform/ids.ts';
import { attendanceOnRecord } from './attendance-on-record.ts';
import { mondayOf } from './past.ts';
import { assignCoaches, type DemoFellow, enrolAll } from './people.ts';
import { insertTrainingActivities } from './programme-rows.ts';
import { makeResourcesOfSecondProgram } from './resources.ts';
import { approveEligible, payApproved } from './stipends.ts';

const zone = 'America/Denver';
const moduleNames = ['Poles and Wires', 'Rigging and Climbing', 'Substation Safety', 'Grounding', 'Rescue'];
/** Today is in the ninth week, so four periods of two weeks are over. */
const weeksPassed = 8;
const paidPeriods = [1, 2];
const approvedPeriod = 3;
const waitingPeriod = 4;

const rules: RuleDraft = {
  name: 'Hours and presence',
  criteria: [
    { name: 'Hours', fact: 'hoursAttended', limit: 30 },
    { name: 'Presence', fact: 'unexcusedAbsences', limit: 0 },
  ],
  amounts: {
    ...{ perPeriodCents: 40_000, perDayCents: 0, perHourCents: 0, perTripCents: 5_000 },
    ...{ isProratedByDays: false, isProratedByAttendance: false, capCents: null },
  },
};

/**
 * Makes a second program beside the specified one: 26 weeks from a Wednesday on in Denver, paid every two weeks for 30
 * hours and no unexcused absence, with $50 for each day at the yard. Its cohort is in the ninth week.
 */
export async function liveSecondProgram(db: Db, admin: Actor, people: DemoFellow[], today: string): Promise<void> {
  const startDate = addDays(mondayOf(today), 2 - 7 * weeksPassed);
  const audience = await makeProgram(db, admin, startDate);
  const { programmeId, key } = audience;
  const cohortId = await createCohort(db, admin, {
    ...{
      name: `Line Workers ${startDate.slice(0, 4)}`,
      programmeId,
      startDate,
      endDate: addDays(startDate, 26 * 7 - 1),
    },
    ...{ status: 'active', capacity: 12, programType: 'fellowship' },
    description: 'From the first climb to a place in a crew, in 26 weeks.',
  });
  const cohort = { id: cohortId, startDate };
  await enrolAll(db, admin, people, cohort);
  await assignCoaches(db, admin, people, startDate);
  await makeResourcesOfSecondProgram(db, admin, programmeId);
  await insertTrainingActivities(db, admin, activitiesOf(cohort, key));
  await attendAllBut(db, cohort, people);
  await excuseOne(db, cohort, people);
  for (const period of [...paidPeriods, approvedPeriod]) {
    await standingAt(at(startDate, 14 * period, '09:00'), async () => {
      await processWeek(db, period, cohort.id);
      await approveEligible(db, admin, cohort, period);
    });
    if (paidPeriods.includes(period))
      await payApproved(db, admin, cohort, period, at(startDate, 14 * period + 1, '09:00'));
  }
  await processWeek(db, waitingPeriod, cohort.id);
  await processWeek(db, waitingPeriod + 1, cohort.id);
}

async function makeProgram(db: Db, admin: Actor, startDate: string): Promise<{ programmeId: string; key: string }> {
  const id = newId();
  const name = 'Line Worker Apprenticeship';
  await standingAt(at(startDate, -21, '10:00'), async () => {
    await copyProgramme(db, admin, { id, sourceId: defaultProgrammeId, name });
    const { holidays, kindLabels, paidKinds, version } = await findProgramme(db, id);
    const facts = {
      ...{
        name,
        weeks: 26,
        firstWeekday: 3,
        daysPerWeek: 7,
        zone,
        payPeriod: 'two_weeks' as const,
        holidays,
        paidKinds,
      },
      kindLabels: { ...kindLabels, fellowship: 'Apprentice' },
      audiences: [{ key: null, label: 'Apprentices', kinds: ['fellowship' as const] }],
      moduleNames,
    };
    await updateProgramme(db, admin, id, { facts, isArchived: false, version });
    const { edition } = await saveDraft(db, admin, id, { rules, edition: 1 });
    await publish(db, admin, id, { edition, fromDay: startDate });
  });
  const [audience] = (await findProgramme(db, id)).audiences;
  return { programmeId: id, key: audience?.key ?? '' };
}

/** Five days of eight hours in two weeks, the first of them at the yard. */
function activitiesOf({ id: cohortId, startDate }: { id: string; startDate: string }, audience: string) {
  const daysOfWeek = (week: number) => (week % 2 === 1 ? [0, 1, 6] : [1, 5]);
  return Array.from({ length: 26 }, (_, index) => index + 1).flatMap((week) =>
    daysOfWeek(week).map((day, place) => {
      const isAtYard = week % 2 === 1 && place === 0;
      const moduleName = moduleNames[Math.floor((week - 1) / 6)] ?? 'Rescue';
      return {
        ...{ cohortId, weekNumber: week, moduleName, audiences: [audience], isRequired: true },
        title: `${moduleName}, ${isAtYard ? 'day at the yard' : `class ${place + 1}`}`,
        sessionDate: addDays(startDate, 7 * (week - 1) + day),
        ...{ sessionTime: '08:00', duration: '8 hours', durationMinutes: 480 },
        deliveryMedium: isAtYard ? 'In-person' : 'Online',
        location: isAtYard ? 'Training yard, pole 12' : 'https://meet.example/line-workers',
      };
    }),
  );
}

/** The third person missed a class of the third period, and the fourth one two of the fourth. */
async function attendAllBut(db: Db, cohort: { id: string }, people: DemoFellow[]): Promise<void> {
  const [, , third, fourth] = people;
  await sql`
    with held as (
      select activity.*, (activity.session_date + time '16:10') at time zone ${zone} as over_at,
        row_number() over (partition by (activity.week_number + 1) / 2 order by activity.session_date) as place
      from training_activities activity where cohort_id = ${cohort.id}
    ), made as (
      insert into attendance_records (fellow_id, cohort_id, content_id, week_number, duration_minutes, accessed_at)
      select member.participant_id, held.cohort_id, held.id, held.week_number, held.duration_minutes, held.over_at
      from cohort_participants member join held on held.cohort_id = member.cohort_id
      where held.over_at < ${now()}
        and not (member.participant_id = ${third?.id} and held.week_number in (5, 6) and held.place = 4)
        and not (member.participant_id = ${fourth?.id} and held.week_number in (7, 8) and held.place in (2, 4))
      returning *
    ) ${attendanceOnRecord}`.execute(db);
}

/** The third person was at the doctor. The other absences have no excuse. */
async function excuseOne(db: Db, cohort: { id: string; startDate: string }, people: DemoFellow[]): Promise<void> {
  const third = people[2];
  if (!third) throw new Error('The second program needs people.');
  const missed = await db
    .selectFrom('trainingActivities')
    .select('id')
    .where('cohortId', '=', cohort.id)
    .where('weekNumber', 'in', [5, 6])
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('attendanceRecords')
            .select('id')
            .whereRef('contentId', '=', 'trainingActivities.id')
            .where('fellowId', '=', third.id),
        ),
      ),
    )
    .executeTakeFirstOrThrow();
  await standingAt(at(cohort.startDate, 41, '15:00'), () =>
    excuseAbsence(db, third.coach, { activityId: missed.id, participantId: third.id }, 'Was at the doctor'),
  );
}

/** An instant so many days after the start, or the present if that is still to come. */
function at(startDate: string, days: number, time: string): Date {
  const instant = instantIn(addDays(startDate, days), time, zone);
  return instant && instant < now() ? instant : now();
}
