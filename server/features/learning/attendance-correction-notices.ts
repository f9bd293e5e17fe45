import { readAttendance } from '#contract/activities.ts';
import { listAttendanceCorrections, readOwnAttendanceCorrections } from '#contract/attendance-corrections.ts';
import { listCohortProgress, readMemberProgress } from '#contract/cohort-progress.ts';
import { readCoachDashboard } from '#contract/home.ts';
import { listOwnStipendWeeks, listStipendWeeksOf } from '#contract/stipend-weeks.ts';
import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';
import { tellAudiences } from '#server/platform/live.ts';
import { notify } from '#server/platform/notices.ts';
import { participantScreens } from './participant-screens.ts';

const longestTitle = 120;
const longestName = 60;
const answererScreens = [listAttendanceCorrections, readCoachDashboard, listStipendWeeksOf];
const askerScreens = [readOwnAttendanceCorrections, listOwnStipendWeeks];

/** Who answers a participant's requests: the coaches, and without one the admins, who see them all. */
export interface Answerers {
  coachIds: string[];
  adminIds: string[];
}

interface Request extends Answerers {
  id: string;
  title: string;
}

export async function tellOfRequest(db: Db, asker: Actor, { id, title, coachIds, adminIds }: Request) {
  const told = coachIds.length > 0 ? coachIds : adminIds;
  await notify(
    db,
    told.map((userId) => ({
      userId,
      kind: 'attendance_correction',
      title: 'A correction of attendance was asked for',
      message: `${nameOf(asker)} says that the record of ${title.slice(0, longestTitle)} is wrong.`,
      link: '/attendance-corrections',
      preference: 'stipendUpdates',
      eventKey: `attendance-correction:${id}:asked:${userId}`,
    })),
    screensOf(asker.id, { coachIds, adminIds }),
  );
}

export function tellOfWithdrawal(db: Db, participantId: string, answerers: Answerers): Promise<void> {
  return tellAudiences(db, screensOf(participantId, answerers));
}

/** Whoever sees that a request is open. */
function screensOf(participantId: string, { coachIds, adminIds }: Answerers) {
  return [
    { userIds: [participantId], endpoints: askerScreens },
    { userIds: [...coachIds, ...adminIds], endpoints: answererScreens },
  ];
}

interface Answered extends Answerers {
  id: string;
  participantId: string;
  participantName: string;
  activityId: string;
  title: string;
  accepts: boolean;
  answer: string;
  hasChanged: boolean;
}

/** The participant, and the coaches where it was not they who answered. */
export async function tellOfAnswer(db: Db, answerer: Actor, answered: Answered) {
  const { id, participantId, activityId, coachIds, adminIds, answer, hasChanged } = answered;
  const title = answered.title.slice(0, longestTitle);
  const progressScreens = hasChanged ? [readAttendance, listCohortProgress, readMemberProgress] : [];
  const notice = { kind: 'attendance_correction', preference: 'stipendUpdates' as const };
  const ofParticipant = {
    ...notice,
    userId: participantId,
    title: titleOf(answered),
    message: answer ? `${title}: ${answer}` : title,
    link: `/activity/${activityId}`,
    eventKey: `attendance-correction:${id}:answered`,
  };
  const ofCoaches = coachIds
    .filter((coachId) => coachId !== answerer.id)
    .map((coachId) => ({
      ...notice,
      userId: coachId,
      title: answered.accepts ? 'A correction of attendance was accepted' : 'A correction of attendance was declined',
      message: `${nameOf(answerer)} answered what ${answered.participantName.slice(0, longestName)} asked for: ${title}`,
      link: '/attendance-corrections',
      eventKey: `attendance-correction:${id}:answered:${coachId}`,
    }));
  await notify(
    db,
    [ofParticipant, ...ofCoaches],
    [
      { userIds: [participantId], endpoints: [...askerScreens, ...(hasChanged ? participantScreens : [])] },
      { userIds: [...coachIds, ...adminIds], endpoints: [...answererScreens, ...progressScreens] },
    ],
  );
}

function nameOf({ firstName, lastName }: Actor): string {
  return `${firstName} ${lastName}`.slice(0, longestName);
}

function titleOf({ accepts, hasChanged }: Answered): string {
  if (!accepts) return 'Your attendance stays as it is';
  return hasChanged ? 'Your attendance was corrected' : 'Your attendance was recorded like this already';
}
