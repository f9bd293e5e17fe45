import type { Db } from '#server/db/database.ts';
import { newId } from '#server/platform/ids.ts';
import { showNotice } from '#server/platform/live.ts';
import { type Notice, notify } from '#server/platform/notices.ts';
import { changed } from '#server/platform/telling.ts';

interface Named {
  id: string;
  firstName: string;
  lastName: string;
}

/**
 * Tells of participants who are in a cohort now, and perhaps have a new coach, who may take over from an earlier one.
 */
export async function tellOfEnrolments(
  db: Db,
  people: Named[],
  cohort: { id: string; name: string },
  change: { coach: Named; earlierCoach: Named | null } | null,
): Promise<void> {
  const coaches = change ? [change.coach, change.earlierCoach] : [];
  const ids = people.map(({ id }) => id);
  await showNotice(db, ids, { type: 'info', title: `You are in ${cohort.name}` });
  await changed(
    db,
    ['enrolments', 'coaches', 'training', 'sessions'],
    [...ids, ...coaches.flatMap((coach) => coach?.id ?? [])],
  );
  if (change)
    await notify(
      db,
      people.flatMap((person) => changeNotices(person, change)),
    );
}

/** CASN-16: both sides learn of each other at once. */
export async function tellOfAssignment(db: Db, participants: Named[], coach: Named): Promise<void> {
  await notify(db, assignmentNotices(participants, coach));
  await changed(db, 'coaches', [coach.id, ...participants.map(({ id }) => id)]);
}

function changeNotices(person: Named, { coach, earlierCoach }: { coach: Named; earlierCoach: Named | null }): Notice[] {
  const handover: Notice[] = earlierCoach
    ? [
        {
          userId: earlierCoach.id,
          kind: 'coach_assignment',
          preference: 'coachMessages',
          title: 'A participant has a new coach',
          message: `${nameOf(person)} is now with ${nameOf(coach)} as their coach.`,
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
  const who = first ? `${nameOf(first)}${others > 0 ? ` and ${others.toLocaleString('en-US')} more` : ''}` : '';
  const about = { kind: 'coach_assignment', preference: 'coachMessages' as const };
  return [
    ...participants.map(({ id }) => ({
      ...about,
      userId: id,
      title: 'You have a coach',
      message: `${nameOf(coach)} is your coach now. You can write to each other in Messages.`,
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
