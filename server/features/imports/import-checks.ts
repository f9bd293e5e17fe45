import type { BulkRecord } from '#contract/documented-functions.ts';
import { recordErrors } from '#contract/imports.ts';
import { normalPhoneNumber } from '#contract/phone-numbers.ts';
import type { Role, TrackType } from '#contract/roles.ts';

/** One person of an upload, as the import keeps them until it makes their account. */
export interface ImportRecord {
  firstName: string;
  lastName: string;
  email: string;
  role: Role;
  trackType: TrackType | null;
  cohortId: string;
  coachEmail: string | null;
  phone: string | null;
}

interface RowPlace {
  rowNumber: number;
  /** Its row in the file, if that is not one below its number. */
  fileRow: number | null;
}

export type CheckedRow = RowPlace &
  (
    | { status: 'waiting'; error: null; record: ImportRecord }
    | { status: 'failed'; error: string; record: { email: string } }
  );

/** The database knows this of a file's people and places. */
export interface KnownToImport {
  cohorts: { id: string; name: string; programType: string }[];
  /** The key is the email in lower case. The role is null for a sign-in that has no profile yet. */
  roles: ReadonlyMap<string, string | null>;
}

export const accountError = 'An account with this email already exists';

/** Applies every rule of a row again, whatever the screen has checked (BULK-44), and finds repetitions (BULK-45). */
export function checkRecords(records: BulkRecord[], known: KnownToImport): CheckedRow[] {
  const judged = records.map((record) => ({ record, ruleErrors: recordErrors(record, known.cohorts) }));
  const coachesInFile = coachesMadeBy(judged, known);
  const taken = new Set<string>();
  return judged.map(({ record, ruleErrors }, index) => {
    const place = { rowNumber: index + 1, fileRow: record.row ?? null };
    const errors = ruleErrors.length > 0 ? ruleErrors : clashes(record, known, coachesInFile, taken);
    const cohort = findCohort(known.cohorts, record);
    if (errors.length > 0 || !cohort) {
      return { ...place, status: 'failed', error: errors.join('; '), record: { email: record.email } };
    }
    taken.add(record.email);
    return { ...place, status: 'waiting', error: null, record: toImportRecord(record, cohort) };
  });
}

/**
 * Makes all white space single blanks, trims it, and removes what PostgreSQL cannot hold as text. Fields that are
 * compared get their letter case.
 */
export function cleanRecord(record: BulkRecord): BulkRecord & { coach_email: string } {
  const clean = cleanText;
  return {
    first_name: clean(record.first_name),
    last_name: clean(record.last_name),
    email: clean(record.email).toLowerCase(),
    program: clean(record.program),
    cohort: clean(record.cohort),
    role: clean(record.role).toLowerCase(),
    track_type: clean(record.track_type ?? '').toLowerCase(),
    coach_email: clean(record.coach_email ?? '').toLowerCase(),
    phone: clean(record.phone ?? ''),
    ...(record.row === undefined ? {} : { row: record.row }),
  };
}

/** True if the records would make somebody a coach or an admin. */
export function grantsPower(records: BulkRecord[]): boolean {
  return records.some((record) => ['coach', 'admin'].includes(cleanRecord(record).role));
}

export function cleanText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '').replace(/\s+/g, ' ').trim();
}

/** Returns who becomes a coach by this file. The first record of an address that keeps the rules makes the account. */
function coachesMadeBy(
  judged: { record: BulkRecord; ruleErrors: string[] }[],
  { roles }: KnownToImport,
): ReadonlySet<string> {
  const right = judged.filter(({ ruleErrors }) => ruleErrors.length === 0).map(({ record }) => record);
  const able = right.filter(({ email }) => !roles.has(email));
  const firstRoles = new Map(able.toReversed().map(({ email, role }) => [email, role]));
  return new Set(able.filter(({ email }) => firstRoles.get(email) === 'coach').map(({ email }) => email));
}

function clashes(
  { email, coach_email: coachEmail }: BulkRecord,
  { roles }: KnownToImport,
  coachesInFile: ReadonlySet<string>,
  taken: ReadonlySet<string>,
): string[] {
  if (roles.has(email)) return [accountError];
  if (taken.has(email)) return ['This email is repeated in the file; its first record was used'];
  if (coachEmail && roles.get(coachEmail) !== 'coach' && !coachesInFile.has(coachEmail)) {
    return [noCoachError(coachEmail)];
  }
  return [];
}

export function noCoachError(coachEmail: string): string {
  return `No coach has the email "${coachEmail}"`;
}

/** A cohort of exactly this name comes before one that differs only in letter case. */
function findCohort(cohorts: KnownToImport['cohorts'], { cohort: name, program }: BulkRecord) {
  const ofProgram = cohorts.filter(({ programType }) => programType === program.toLowerCase());
  return (
    ofProgram.find((cohort) => cohort.name === name) ??
    ofProgram.find((cohort) => cohort.name.toLowerCase() === name.toLowerCase())
  );
}

function toImportRecord(record: BulkRecord, cohort: { id: string; programType: string }): ImportRecord {
  // The row's rules hold here: role, track_type and the cohort's programme come from their closed lists.
  const trackType = record.track_type || (record.role === 'participant' ? cohort.programType : null);
  return {
    firstName: record.first_name,
    lastName: record.last_name,
    email: record.email,
    role: record.role as Role,
    trackType: trackType as TrackType | null,
    cohortId: cohort.id,
    coachEmail: record.coach_email || null,
    // Stryker disable next-line StringLiteral: Whatever stands for no number is none.
    phone: normalPhoneNumber(record.phone ?? ''),
  };
}
