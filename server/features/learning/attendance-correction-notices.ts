import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';
import { notify } from '#server/platform/notices.ts';
import { changed } from '#server/platform/telling.ts';

const longestTitle = 120;
const longestName = 60;

/** The people who answer a participant's requests: the coaches or, without one, the admins, who see all requests. */
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
      title: 'Somebody asked to correct attendance',
      message: `${nameOf(asker)} says their attendance record for ${title.slice(0, longestTitle)} is wrong.`,
      link: '/attendance-corrections',
      preference: 'stipendUpdates',
      eventKey: `attendance-correction:${id}:asked:${userId}`,
    })),
  );
  await changed(db, 'corrections', [asker.id]);
}

interface Answered extends Pick<Answerers, 'coachIds'> {
  id: string;
  participantId: string;
  participantName: string;
  activityId: string;
  title: string;
  accepts: boolean;
  answer: string;
  hasChanged: boolean;
}

/** Tells the participant, and the coaches unless one of them answered. */
export async function tellOfAnswer(db: Db, answerer: Actor, answered: Answered) {
  const { id, participantId, activityId, coachIds, answer } = answered;
  const title = answered.title.slice(0, longestTitle);
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
      title: answered.accepts
        ? 'A request to correct attendance was accepted'
        : 'A request to correct attendance was declined',
      message: `${nameOf(answerer)} answered the request of ${answered.participantName.slice(0, longestName)}: ${title}`,
      link: '/attendance-corrections',
      eventKey: `attendance-correction:${id}:answered:${coachId}`,
    }));
  await notify(db, [ofParticipant, ...ofCoaches]);
  await changed(db, 'corrections', [participantId]);
}

function nameOf({ firstName, lastName }: Actor): string {
  return `${firstName} ${lastName}`.slice(0, longestName);
}

function titleOf({ accepts, hasChanged }: Answered): string {
  if (!accepts) return 'Your attendance stays as it is';
  return hasChanged ? 'Your attendance was corrected' : 'Your attendance was recorded like this already';
}
