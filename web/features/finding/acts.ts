import type { ReplyOf } from '#contract/endpoint.ts';
import type { Found, find } from '#contract/finding.ts';
import { type Permission, type Role, rolesWith } from '#contract/roles.ts';
import { paths, type ScreenPath } from '../../app/paths.ts';

/** It leads to the screen where a person does something, and does nothing by itself. */
export interface Act {
  label: string;
  /** Other words for it. */
  words?: string;
  permission: Permission;
  to: ScreenPath;
  search?: Record<string, string>;
}

const acts: Act[] = [
  {
    label: 'Complete an activity',
    words: 'attendance done',
    permission: 'attendance.record',
    to: paths.trainingCalendar,
  },
  { label: 'Hand in work', words: 'submit assignment', permission: 'assignments.submit', to: paths.dashboard },
  { label: 'Book a session', words: 'coaching schedule', permission: 'coaching.book', to: paths.coaching },
  {
    label: 'Upload a file',
    words: 'photo certificate',
    permission: 'files.own',
    to: paths.myFiles,
    search: { dialog: 'upload' },
  },
  { label: "Ask about a week's pay", words: 'stipend question', permission: 'stipends.own', to: paths.myStipends },
  { label: 'Choose your track', words: 'specialization', permission: 'fellowship.own', to: paths.fellowship },
  {
    label: 'Review work',
    words: 'grade submissions pending',
    permission: 'submissions.review',
    to: paths.submissions,
    search: { tab: 'pending' },
  },
  {
    label: 'Rate the week',
    words: 'rating performance',
    permission: 'performance.rate',
    to: paths.dashboard,
    search: { tab: 'ratings' },
  },
  {
    label: 'Offer times for sessions',
    words: 'availability leave booking',
    permission: 'coaching.run',
    to: paths.dashboard,
    search: { tab: 'booking' },
  },
  {
    label: 'Write session notes',
    words: 'complete no-show',
    permission: 'coaching.run',
    to: paths.dashboard,
    search: { tab: 'sessions' },
  },
  {
    label: 'Approve a week of stipends',
    words: 'pay deny',
    permission: 'stipends.manage',
    to: paths.stipendManagement,
    search: { status: 'pending', eligibility: 'eligible' },
  },
  {
    label: 'Send stipends for payment',
    words: 'pay webhook export',
    permission: 'stipends.manage',
    to: paths.stipendManagement,
    search: { status: 'approved' },
  },
  {
    label: 'Compare what was sent and paid',
    words: 'reconciliation',
    permission: 'stipends.manage',
    to: paths.stipendManagement,
    search: { tab: 'reconciliation' },
  },
  {
    label: 'Answer questions about stipends',
    words: 'pay',
    permission: 'stipends.explain',
    to: paths.stipendQuestions,
  },
  {
    label: 'Answer requests to correct attendance',
    permission: 'attendance.correct',
    to: paths.attendanceCorrections,
  },
  { label: 'Import people', words: 'upload csv file invite', permission: 'imports.manage', to: paths.bulkInvitations },
  {
    label: 'Enroll somebody',
    words: 'participant cohort move person',
    permission: 'cohorts.manage',
    to: paths.userManagement,
    search: { role: 'participant' },
  },
  { label: 'Assign coaches', words: 'participants', permission: 'cohorts.manage', to: paths.assignParticipants },
  {
    label: 'Add a cohort',
    words: 'create new',
    permission: 'cohorts.manage',
    to: paths.programmeSetup,
    search: { tab: 'cohorts', dialog: 'add' },
  },
  {
    label: 'Add an activity',
    words: 'create new training',
    permission: 'programme.manage',
    to: paths.programmeSetup,
    search: { tab: 'activities', dialog: 'add' },
  },
  {
    label: 'Add a module',
    words: 'create new',
    permission: 'programme.manage',
    to: paths.programmeSetup,
    search: { tab: 'modules', dialog: 'add' },
  },
  {
    label: 'Schedule an activity',
    words: 'assign training session',
    permission: 'training.manage',
    to: paths.trainingManagement,
  },
  {
    label: 'Add content or an assignment',
    words: 'create new reading video',
    permission: 'content.manage',
    to: paths.contentManagement,
  },
  {
    label: 'Add a resource',
    words: 'create new link',
    permission: 'resources.manage',
    to: paths.resourcesManagement,
    search: { dialog: 'add' },
  },
  {
    label: 'Try undelivered messages again',
    words: 'email resend',
    permission: 'deliveries.manage',
    to: paths.deliveries,
  },
  { label: 'Send a message', words: 'write', permission: 'messages.send', to: paths.messages },
  { label: 'Read conversations', words: 'monitor messages', permission: 'messages.monitor', to: paths.messages },
  {
    label: 'Subscribe to your calendar',
    words: 'google apple outlook',
    permission: 'calendar.own',
    to: paths.trainingCalendar,
    search: { dialog: 'subscribe' },
  },
  {
    label: 'Choose how we notify you',
    words: 'email push sms',
    permission: 'notices.own',
    to: paths.notificationPreferences,
  },
  { label: 'Set up a second factor', words: 'passkey security', permission: 'account.own', to: paths.accountSecurity },
];

/** A role's acts. It holds their permission, and their screen is among its own. */
export function actsOf(role: Role, screens: readonly { to: string }[]): Act[] {
  return acts.filter(
    ({ permission, to }) => rolesWith(permission).includes(role) && screens.some((screen) => screen.to === to),
  );
}

type FoundThings = ReplyOf<typeof find>;
type Place = { to: string; search?: Record<string, string> };

/** An act on something that a search finds. */
interface ActOnFound {
  /** Its words, up to the name of the thing. */
  verb: string;
  permission: Permission;
  on: (found: FoundThings) => Found[];
  placeOf: (id: string) => Place;
}

const actsOnFound: ActOnFound[] = [
  {
    verb: 'Send a message to',
    permission: 'messages.send',
    on: ({ people }) => people,
    placeOf: (id) => ({ to: paths.messages, search: { with: id } }),
  },
  {
    verb: 'Enroll',
    permission: 'cohorts.manage',
    on: ({ people }) => people.filter(({ role }) => role === 'participant'),
    placeOf: (id) => ({ to: paths.person(id), search: { dialog: 'enroll' } }),
  },
  {
    verb: 'Hand in',
    permission: 'assignments.submit',
    on: ({ assignments }) => assignments,
    placeOf: (id) => ({ to: paths.assignment(id) }),
  },
];

export type TypedAct = ActOnFound | undefined;

const connectives = ['a', 'to', 'in'];

/**
 * Splits 'message ana' into the act and the words that name its thing. Null if the words do not begin with an act of
 * the role, or if nothing follows it.
 */
export function actIn(typed: string, role: Role): { act: ActOnFound; thing: string } | null {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  for (const act of actsOnFound.filter(({ permission }) => rolesWith(permission).includes(role))) {
    const verb = act.verb.toLowerCase().split(' ');
    const isOfVerb = (word: string) =>
      verb.some((one) => (connectives.includes(one) ? one === word : isBegun(one, word)));
    const end = words.findIndex((word) => !isOfVerb(word));
    if (end > 0 && words.slice(0, end).some((word) => !connectives.includes(word))) {
      return { act, thing: words.slice(end).join(' ') };
    }
  }
  return null;
}

/** A short word may as well begin a name. */
function isBegun(word: string, typed: string): boolean {
  return typed.length >= Math.min(4, word.length) && word.startsWith(typed);
}

/** What a role can do with the only person or assignment found, or with each of those that an act was typed for. */
export function actsOnThings(found: FoundThings, role: Role, typedAct: TypedAct) {
  return actsOnFound
    .filter((act) => rolesWith(act.permission).includes(role) && (!typedAct || act === typedAct))
    .map((act) => ({ ...act, things: act.on(found) }))
    .filter(({ things }) => typedAct || things.length === 1)
    .flatMap(({ verb, things, placeOf }) =>
      things.map(({ id, title, detail }) => ({
        key: `act ${verb} ${id}`,
        title: `${verb} ${title}`,
        detail,
        ...placeOf(id),
      })),
    );
}
