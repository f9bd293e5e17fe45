import type { Fact } from '#contract/facts.ts';

interface Audience {
  coach?: true;
  /** The participants whom the person coaches. */
  participants?: true;
  admins?: true;
}

const ofParticipant: Audience = { coach: true, admins: true };
const ofAnyone: Audience = { coach: true, participants: true, admins: true };
/** The act names the staff who see it, never the person whom it is about. */
const ofStaff: Audience = { admins: true };
const ofOneself: Audience = {};

/** The people who see a person's fact beside that person. */
const seenBy: Record<Fact, Audience> = {
  training: ofParticipant,
  cohorts: ofParticipant,
  enrolments: ofParticipant,
  coaches: ofParticipant,
  people: ofAnyone,
  notes: ofStaff,
  attendance: ofParticipant,
  corrections: ofParticipant,
  submissions: ofParticipant,
  comments: ofOneself,
  ratings: ofParticipant,
  progress: ofParticipant,
  ticks: ofOneself,
  stipends: ofParticipant,
  payments: ofParticipant,
  questions: ofParticipant,
  sessions: ofParticipant,
  availability: ofAnyone,
  messages: ofOneself,
  notices: ofOneself,
  preferences: ofOneself,
  deliveries: { admins: true },
  resources: { admins: true },
  files: ofOneself,
  imports: { admins: true },
  calendars: ofOneself,
  'ways-in': ofOneself,
  'sign-ins': ofOneself,
};

export function factsSeenBy(viewer: keyof Audience): Fact[] {
  return (Object.keys(seenBy) as Fact[]).filter((fact) => seenBy[fact][viewer]);
}

/** Whether only the person sees it. */
export function isOfOneself(fact: Fact): boolean {
  return seenBy[fact] === ofOneself;
}

/** A trigger's note (platform/fact-notes.ts) says that the fact itself changed, and what is derived from it. */
export const saidByNotes: Record<string, Fact[]> = {
  attendance: ['attendance', 'progress', 'stipends'],
  work: ['submissions', 'progress', 'stipends'],
  rating: ['ratings', 'progress', 'stipends'],
  membership: ['enrolments', 'progress', 'stipends'],
  person: ['people', 'progress', 'stipends'],
  completion: ['progress'],
  track: ['progress'],
  taught: ['training'],
};
