import type { FastifyBaseLogger } from 'fastify';
import type { ParticipantDashboard } from '#contract/home.ts';
import { houseZone } from '#contract/house-zone.ts';
import { currentWeek, dayAt, programmeWeek } from '#contract/weeks.ts';
import type { Db } from '#server/db/database.ts';
import { findActiveCohort } from '#server/features/cohorts/cohort-queries.ts';
import { noProgress } from '#server/features/learning/fellowship-queries.ts';
import { findParticipantWeek } from '#server/features/learning/participant-week-queries.ts';
import { findParticipantStipend } from '#server/features/stipends/dashboard-stipend-queries.ts';
import type { Actor } from '#server/platform/actor.ts';
import { findParticipantCoaching } from './participant-coaching-queries.ts';

type Section = ParticipantDashboard['notLoaded'][number];

/** Runs five statements, whatever the size of the programme. */
export async function findParticipantDashboard(
  db: Db,
  actor: Actor,
  at: Date,
  log: FastifyBaseLogger,
): Promise<ParticipantDashboard> {
  const notLoaded: Section[] = [];
  /** If a section cannot be read, the reply names it and the rest of the screen stays. */
  const orNotLoaded = <T>(section: Section, reading: Promise<T>): Promise<T | null> =>
    reading.catch((error: unknown) => {
      log.error({ err: error, section }, 'A section of the dashboard could not be read.');
      notLoaded.push(section);
      return null;
    });

  const [cohort, coaching] = await Promise.all([
    findActiveCohort(db, actor.id),
    orNotLoaded('coaching', findParticipantCoaching(db, actor.id, at)),
  ]);
  const today = dayAt(at, cohort?.calendar.zone ?? houseZone);
  if (!cohort) return { ...withoutCohort, coaching, notLoaded, today };
  const { startDate, calendar } = cohort;
  const { week, ...dates } = programmeWeek(startDate, currentWeek(startDate, today, calendar), calendar);
  const [ofWeek, stipend] = await Promise.all([
    findParticipantWeek(db, actor, cohort, today),
    orNotLoaded('stipend', findParticipantStipend(db, { participantId: actor.id, cohort, today })),
  ]);
  return {
    cohort,
    week: { number: week, ...dates },
    ...ofWeek,
    stipend,
    coaching,
    notLoaded,
    today,
  };
}

const withoutCohort = {
  cohort: null,
  week: null,
  progress: noProgress,
  thisWeek: { done: 0, total: 0, isOnTrack: true },
  weekActivities: [],
  nextStep: null,
  pendingActivities: [],
  openAssignments: [],
  deadlines: [],
  stipend: null,
};
