import { readAttendance } from '#contract/activities.ts';
import { listAttendanceCorrections, readOwnAttendanceCorrections } from '#contract/attendance-corrections.ts';
import { listCohortProgress, readMemberProgress } from '#contract/cohort-progress.ts';
import { readCoachDashboard } from '#contract/home.ts';
import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';
import { tellAudiences, tellBrowsers } from '#server/platform/live.ts';
import { notify } from '#server/platform/notices.ts';
import { participantScreens } from './participant-screens.ts';

const longestTitle = 120;
const answererScreens = [listAttendanceCorrections, readCoachDashboard];

interface Request {
  id: string;
  title: string;
  answererIds: string[];
}

export async function tellOfRequest(db: Db, { firstName, lastName }: Actor, { id, title, answererIds }: Request) {
  await notify(
    db,
    answererIds.map((userId) => ({
      userId,
      kind: 'attendance_correction',
      title: 'A correction of attendance was asked for',
      message: `${firstName} ${lastName} says that the record of ${title.slice(0, longestTitle)} is wrong.`,
      link: '/attendance-corrections',
      preference: 'stipendUpdates',
      eventKey: `attendance-correction:${id}:asked:${userId}`,
    })),
  );
  await tellBrowsers(db, answererIds, { endpoints: answererScreens });
}

export async function tellOfWithdrawal(db: Db, participantId: string, coachIds: string[]) {
  await tellAudiences(db, [
    { userIds: [participantId], endpoints: [readOwnAttendanceCorrections] },
    { userIds: coachIds, endpoints: answererScreens },
  ]);
}

interface Answered {
  id: string;
  participantId: string;
  activityId: string;
  coachIds: string[];
  title: string;
  accepts: boolean;
  answer: string;
  hasChanged: boolean;
}

export async function tellOfAnswer(db: Db, answered: Answered) {
  const { id, participantId, activityId, coachIds, answer, hasChanged } = answered;
  const title = answered.title.slice(0, longestTitle);
  const progressScreens = hasChanged ? [readAttendance, listCohortProgress, readMemberProgress] : [];
  const notice = {
    userId: participantId,
    kind: 'attendance_correction',
    title: titleOf(answered),
    message: answer ? `${title}: ${answer}` : title,
    link: `/activity/${activityId}`,
    preference: 'stipendUpdates' as const,
    eventKey: `attendance-correction:${id}:answered`,
  };
  await notify(
    db,
    [notice],
    [
      {
        userIds: [participantId],
        endpoints: [readOwnAttendanceCorrections, ...(hasChanged ? participantScreens : [])],
      },
      { userIds: coachIds, endpoints: [...answererScreens, ...progressScreens] },
    ],
  );
}

function titleOf({ accepts, hasChanged }: Answered): string {
  if (!accepts) return 'Your attendance stays as it is';
  return hasChanged ? 'Your attendance was corrected' : 'Your attendance was recorded like this already';
}
