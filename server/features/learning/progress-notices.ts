import { listCohortProgress, readMemberProgress } from '#contract/cohort-progress.ts';
import { readCoachDashboard } from '#contract/home.ts';
import type { Db } from '#server/db/database.ts';
import { type LiveNews, tellAudiences } from '#server/platform/live.ts';
import { participantScreens } from './participant-screens.ts';

interface Concerned {
  participantId: string;
  coachIds: string[];
}

/** Open browsers of the participant and of their coaches read again; the participant is told why when it was another's act. */
export async function tellOfProgress(
  db: Db,
  { participantId, coachIds }: Concerned,
  notice?: LiveNews['notice'],
): Promise<void> {
  await tellAudiences(db, [
    { userIds: [participantId], endpoints: participantScreens, ...(notice ? { notice } : {}) },
    { userIds: coachIds, endpoints: [readCoachDashboard, listCohortProgress, readMemberProgress] },
  ]);
}
