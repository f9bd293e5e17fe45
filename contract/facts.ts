import { z } from 'zod';

/**
 * What screens show and acts change, in the field's words. The list is closed: anything else on a screen never changes.
 */
export const facts = [
  /** Activities, contents, assignments, modules, courses, tracks and weekly requirements: what is taught. */
  'training',
  /** Names, days and settings of cohorts. */
  'cohorts',
  /** The members of cohorts and courses. */
  'enrolments',
  /** The coaches of participants. */
  'coaches',
  /** Names, addresses, roles, and roles asked for. */
  'people',
  /** What staff noted about people. */
  'notes',
  'attendance',
  /** Requests to change a record of attendance. */
  'corrections',
  /** Work that was handed in, with its reviews and claims. */
  'submissions',
  /** Comments that reviewers saved. */
  'comments',
  'ratings',
  /** Completed modules, the share of the programme, the chosen track. */
  'progress',
  /** What a participant ticked off in an activity's contents. */
  'ticks',
  /** Weeks with their verdict, decision and amount. */
  'stipends',
  /** Hand-overs, payments, reversals and payees. */
  'payments',
  /** Questions about stipends. */
  'questions',
  /** Coaching sessions. */
  'sessions',
  /** Times that coaches offer, their leave and their booking links. */
  'availability',
  'messages',
  'notices',
  /** Which news a person gets, by which channels, and the filters that they keep. */
  'preferences',
  /** What could not be delivered. */
  'deliveries',
  'resources',
  /** My Files. */
  'files',
  'imports',
  /** Calendar addresses. */
  'calendars',
  /** Password, second factor, identities, passkeys, and which roles need a second factor. */
  'ways-in',
  /** A person's sessions and sign-in records. */
  'sign-ins',
] as const;

export const Fact = z.enum(facts);
export type Fact = z.infer<typeof Fact>;

/** This header of a reply names the facts that the act changed for its sender, separated by commas. */
export const changedFactsHeader = 'x-changed-facts';

/** This header of a request names the act. The browser that sent it ignores live news of it. */
export const actHeader = 'x-act';
