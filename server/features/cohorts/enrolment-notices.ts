import { readBooking } from '#contract/booking.ts';
import { listParticipantsWithoutCoach } from '#contract/coach-assignment.ts';
import { readFellowship } from '#contract/fellowship.ts';
import { readAdminDashboard, readCoachDashboard, readParticipantDashboard } from '#contract/home.ts';
import { readTrainingCalendar } from '#contract/learning.ts';
import { listContacts } from '#contract/messages.ts';
import type { Db } from '#server/db/database.ts';
import { newId } from '#server/platform/ids.ts';
import { type Audience, tellAudiences } from '#server/platform/live.ts';
import { type Notice, notify } from '#server/platform/notices.ts';

interface Named {
  id: string;
  firstName: string;
  lastName: string;
}

const participantScreens = [readParticipantDashboard, readFellowship, readTrainingCalendar, readBooking, listContacts];
const coachScreens = [readCoachDashboard, listContacts];
/** Of whoever makes the assignment; other admins' lists are right when they look again. */
const adminScreens = [readAdminDashboard, listParticipantsWithoutCoach];

/** A participant is in a cohort, perhaps with a new coach, who perhaps takes over from an earlier one. */
export async function tellOfEnrolment(
  db: Db,
  person: Named,
  cohort: { id: string; name: string },
  change: { coach: Named; earlierCoach: Named | null } | null,
): Promise<void> {
  const coaches = change ? [change.coach, change.earlierCoach] : [];
  const audiences: Audience[] = [
    {
      userIds: [person.id],
      endpoints: participantScreens,
      notice: { type: 'info', title: `You are in ${cohort.name}` },
    },
    { userIds: coaches.flatMap((coach) => coach?.id ?? []), endpoints: coachScreens },
  ];
  if (change) await notify(db, changeNotices(person, change), audiences);
  else await tellAudiences(db, audiences);
}

/** CASN-16: both sides know of each other at once. */
export async function tellOfAssignment(db: Db, actorId: string, participants: Named[], coach: Named): Promise<void> {
  await notify(db, assignmentNotices(participants, coach));
  await tellAudiences(db, [
    { userIds: participants.map(({ id }) => id), endpoints: participantScreens },
    { userIds: [coach.id], endpoints: coachScreens },
    { userIds: [actorId], endpoints: adminScreens },
  ]);
}

function changeNotices(person: Named, { coach, earlierCoach }: { coach: Named; earlierCoach: Named | null }): Notice[] {
  const handover: Notice[] = earlierCoach
    ? [
        {
          userId: earlierCoach.id,
          kind: 'coach_assignment',
          preference: 'coachMessages',
          title: 'A participant has another coach now',
          message: `${nameOf(person)} is with ${nameOf(coach)} now.`,
          link: '/coach',
          eventKey: `coach-assignment:${newId()}:${earlierCoach.id}`,
        },
      ]
    : [];
  return [...assignmentNotices([person], coach), ...handover];
}

function assignmentNotices(participants: Named[], coach: Named): Notice[] {
  const assignmentId = newId();
  const [first] = participants;
  const others = participants.length - 1;
  const who = first ? `${nameOf(first)}${others > 0 ? ` and ${others} more` : ''}` : '';
  const about = { kind: 'coach_assignment', preference: 'coachMessages' as const };
  return [
    ...participants.map(({ id }) => ({
      ...about,
      userId: id,
      title: 'You have a coach',
      message: `${nameOf(coach)} is your coach now. You find each other in Messages.`,
      link: '/cohorts',
      eventKey: `coach-assignment:${assignmentId}:${id}`,
    })),
    {
      ...about,
      userId: coach.id,
      title: participants.length === 1 ? 'A participant was assigned to you' : 'Participants were assigned to you',
      message: `${who} ${others > 0 ? 'are' : 'is'} with you now.`,
      link: '/coach',
      eventKey: `coach-assignment:${assignmentId}:${coach.id}`,
    },
  ];
}

function nameOf({ firstName, lastName }: Named): string {
  return `${firstName} ${lastName}`;
}
