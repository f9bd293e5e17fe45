import { correctAttendance } from '#contract/activities.ts';
import { bookSession, moveSession, readBooking, withdrawSession } from '#contract/booking.ts';
import { saveAvailability } from '#contract/booking-setup.ts';
import { cancelSession, listCoachSessions, updateSession } from '#contract/coach-sessions.ts';
import { rateWeek } from '#contract/coaching.ts';
import { recordAttendance } from '#contract/documented-functions.ts';
import { sendMessage } from '#contract/messages.ts';
import { excuseAbsence } from '#contract/programmes.ts';
import { claimReview, reviewSubmission } from '#contract/reviews.ts';
import { readAssignment, submitAssignment } from '#contract/submissions.ts';
import { addDays } from '#contract/weeks.ts';
import { newId } from '#server/platform/ids.ts';
import { client } from '#test/support/app.ts';
import { uploadFile } from '#test/support/uploads.ts';
import type { Step } from './plan.ts';
import { itemAt } from './random.ts';
import { admin, coach, member, reader, type Scene, writer } from './scene.ts';
import type { Member } from './world.ts';

export type Act = (scene: Scene, step: Step) => Promise<void>;

/** The last class of the person's cohort that has been held, or is today. */
function lastClass({ today }: Scene, { cohort }: Member) {
  return cohort.activities.findLast(({ day }) => day <= today);
}

/** What two people of the same step would write is not the same. */
function words(scene: Scene, step: Step): string {
  return `Day ${scene.today}, ${step.act} ${step.who} ${step.what} ${newId()}`;
}

export const attend: Act = async (scene, step) => {
  const person = member(scene, step);
  const held = lastClass(scene, person);
  if (!held) return;
  const body = {
    ...{ fellow_id: person.id, cohort_id: person.cohort.id, week_number: held.weekNumber },
    ...{ content_type: 'live_session' as const, content_id: held.id, duration_minutes: 240 },
  };
  const answer = await writer(scene, step)(person, recordAttendance, { body });
  if (answer.is === 'taken' && answer.body.success) scene.kept.add('attendance', `${person.id} ${held.id}`);
};

export const handIn: Act = async (scene, step) => {
  const person = member(scene, step);
  const open = person.cohort.activities.filter(({ day, assignmentId }) => day <= scene.today && assignmentId !== null);
  const id = itemAt(open.slice(-2), step.what)?.assignmentId;
  if (!id) return;
  const params = { id };
  const read = await reader(scene, step)(person, readAssignment, { params });
  if (read.is !== 'taken' || read.body.refusal !== null) return;
  const body = { text: words(scene, step), fileId: null, basedOnRound: read.body.submission?.roundNumber ?? null };
  const answer = await writer(scene, step)(person, submitAssignment, { params, body });
  if (answer.is === 'taken') scene.kept.add('round', `${answer.body.id} ${answer.body.roundNumber}`);
};

export const review: Act = async (scene, step) => {
  const { rows } = await scene.pool.query<{ id: string; round: number }>(
    `select id, round_number as round from content_submissions where status = 'submitted' order by submitted_at, id limit 8`,
  );
  const waiting = itemAt(rows, step.what);
  if (!waiting) return;
  const reviewer = coach(scene, step);
  const params = { id: waiting.id };
  if (step.how < 0.5) await reader(scene, step)(reviewer, claimReview, { params });
  const body = {
    status: step.how < 0.8 ? ('accepted' as const) : ('needs_revision' as const),
    ...{ feedback: 'Clear and complete.', roundNumber: waiting.round },
  };
  const answer = await writer(scene, step)(reviewer, reviewSubmission, { params, body });
  if (answer.is === 'taken') scene.kept.add('review', `${waiting.id} ${waiting.round}`);
};

/** A person sends a message under the same key until they have an answer. */
export const message: Act = async (scene, step) => {
  const person = member(scene, step);
  const [from, to] = step.how < 0.5 ? [person, person.coach] : [person.coach, person];
  const text = words(scene, step);
  const body = { clientKey: newId(), text, fileId: null };
  const answer = await writer(scene, step)(from, sendMessage, { params: { id: to.id }, body });
  if (answer.is === 'taken') scene.kept.add('message', text);
};

/** Many want the first free half hours. */
export const book: Act = async (scene, step) => {
  const person = member(scene, step);
  const booking = await reader(scene, step)(person, readBooking, { query: {} });
  if (booking.is !== 'taken') return;
  const { coachId, slots } = booking.body;
  const startsAt = itemAt(slots.slice(0, 4), step.what);
  if (!coachId || !startsAt) return;
  const id = newId();
  const answer = await writer(scene, step)(person, bookSession, { body: { coachId, startsAt, agenda: null, id } });
  if (answer.is === 'taken') scene.kept.add('session', id);
};

export const move: Act = async (scene, step) => {
  const person = member(scene, step);
  const booking = await reader(scene, step)(person, readBooking, { query: {} });
  if (booking.is !== 'taken') return;
  const session = itemAt(booking.body.sessions, step.what);
  const startsAt = itemAt(booking.body.slots.slice(0, 4), step.how);
  if (!session || !startsAt) return;
  await writer(scene, step)(person, moveSession, { params: { id: session.id }, body: { startsAt } });
};

export const withdraw: Act = async (scene, step) => {
  const person = member(scene, step);
  const booking = await reader(scene, step)(person, readBooking, { query: {} });
  const session = booking.is === 'taken' ? itemAt(booking.body.sessions, step.what) : undefined;
  if (session) await writer(scene, step)(person, withdrawSession, { params: { id: session.id } });
};

export const cancel: Act = async (scene, step) => {
  const sessions = await reader(scene, step)(coach(scene, step), listCoachSessions);
  const session = sessions.is === 'taken' ? itemAt(sessions.body.upcoming, step.what) : undefined;
  if (!session?.can.cancel) return;
  const input = { params: { id: session.id }, body: { reason: 'The coach is ill.' } };
  await writer(scene, step)(coach(scene, step), cancelSession, input);
};

export const close: Act = async (scene, step) => {
  const sessions = await reader(scene, step)(coach(scene, step), listCoachSessions);
  if (sessions.is !== 'taken') return;
  const session = itemAt(
    [...sessions.body.past, ...sessions.body.olderOverdue].filter(({ can }) => can.complete),
    step.what,
  );
  if (!session) return;
  const came = step.how < 0.8;
  const body = came ? { status: 'completed' as const } : { status: 'no_show' as const, noShowReason: 'Did not come' };
  await writer(scene, step)(coach(scene, step), updateSession, { params: { id: session.id }, body });
};

/** Half a day on each of two days, in each of the next two weeks. */
export const offerTimes: Act = async (scene, step) => {
  const sunday = addDays(scene.today, -1);
  const ranges = [2, 4].map((dayOfWeek) => ({ dayOfWeek, startTime: '09:00', endTime: '13:00' }));
  for (const weekStartDate of [sunday, addDays(sunday, 7)]) {
    await writer(scene, step)(coach(scene, step), saveAvailability, { params: { weekStartDate }, body: { ranges } });
  }
};

export const rate: Act = async (scene, step) => {
  const person = member(scene, step);
  const held = lastClass(scene, person);
  if (!held) return;
  const { weekNumber } = held;
  const input = {
    params: { participantId: person.id, weekNumber },
    body: { rating: step.how < 0.9 ? 4 : 2.5, comment: null },
  };
  const answer = await writer(scene, step)(person.coach, rateWeek, input);
  if (answer.is === 'taken') scene.kept.add('rating', `${person.id} ${person.cohort.id} ${answer.body.weekNumber}`);
};

export const excuse: Act = async (scene, step) => {
  const person = member(scene, step);
  const held = lastClass(scene, person);
  if (!held) return;
  const params = { activityId: held.id, participantId: person.id };
  const answer = await writer(scene, step)(person.coach, excuseAbsence, { params, body: { reason: 'Was ill' } });
  if (answer.is === 'taken') scene.kept.add('excuse', `${person.id} ${held.id}`);
};

export const correct: Act = async (scene, step) => {
  const person = member(scene, step);
  const held = lastClass(scene, person);
  if (!held) return;
  const input = { params: { id: held.id, participantId: person.id }, body: { attended: true, reason: 'Was there' } };
  const answer = await writer(scene, step)(admin(scene, step), correctAttendance, input);
  if (answer.is === 'taken') scene.kept.add('attendance', `${person.id} ${held.id}`);
};

/** The upload client's own requests: they are not cut, and go on with nothing. */
export const upload: Act = async (scene, step) => {
  const person = member(scene, step);
  const { url } = scene.processes[step.process];
  const facts = { area: 'my_files' as const, name: `${scene.today}.txt` };
  const id = await uploadFile(client(url, person.cookie), facts, words(scene, step)).catch(() => null);
  if (id !== null) scene.kept.add('file', id);
};
