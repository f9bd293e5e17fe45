import { z } from 'zod';
import type { BulkRecord } from './documented-functions.ts';
import { endpoint, Id, Instant, pageOf } from './endpoint.ts';
import { longestName, nameProblem } from './person-names.ts';
import { normalPhoneNumber } from './phone-numbers.ts';
import { roles, trackTypes } from './roles.ts';

export const bulkLimits = { bytes: 5 * 1024 * 1024, records: 1000, previewRows: 5, listedErrors: 10 };
export const bulkColumns = ['first_name', 'last_name', 'email', 'program', 'cohort', 'role'] as const;
export const optionalBulkColumns = ['track_type', 'coach_email', 'phone'] as const;
export type BulkColumn = (typeof bulkColumns)[number] | (typeof optionalBulkColumns)[number];
export const bulkMessages = { empty: 'File is empty', tooMany: 'Maximum 1000 records allowed per upload' };

/** A cohort that people may be brought into: status active or planning (BULK-20, BULK-21). */
export interface ImportableCohort {
  name: string;
  programType: string;
}

/** Lists the faults of one record in the order of the columns (BULK-14 to BULK-24). */
export function recordErrors(record: BulkRecord, cohorts: ImportableCohort[]): string[] {
  const value = (column: BulkColumn) => (record[column] ?? '').trim();
  const errors: string[] = [];
  errors.push(...nameErrors('First name', value('first_name')), ...nameErrors('Last name', value('last_name')));
  if (!value('email')) errors.push('Email is required');
  else if (!isEmail(value('email'))) errors.push('Invalid email format');
  if (!value('program')) errors.push('Program is required');
  if (!value('cohort')) errors.push('Cohort is required');
  else if (
    value('program') &&
    !cohorts.some((cohort) => isSame(cohort.name, value('cohort')) && isSame(cohort.programType, value('program')))
  ) {
    errors.push(
      `Invalid cohort "${value('cohort')}" for program "${value('program')}". Please check available cohorts.`,
    );
  }
  if (!value('role')) errors.push('Role is required');
  else if (!(roles as readonly string[]).includes(value('role').toLowerCase())) {
    errors.push('Role must be participant, coach, or admin');
  }
  if (value('track_type') && !(trackTypes as readonly string[]).includes(value('track_type').toLowerCase())) {
    errors.push('Track type must be fellowship, adult_mobilization, or self_learner');
  }
  if (value('coach_email')) errors.push(...coachErrors(value('coach_email'), value('role')));
  if (value('phone') && normalPhoneNumber(value('phone')) === null) errors.push('Invalid phone number');
  return errors;
}

function nameErrors(label: string, name: string): string[] {
  if (!name) return [`${label} is required`];
  if (name.length > longestName) return [`${label} must be at most ${longestName} characters`];
  const problem = nameProblem(name);
  return problem ? [`${label} ${problem}`] : [];
}

function coachErrors(coachEmail: string, role: string): string[] {
  if (!isEmail(coachEmail)) return ['Invalid coach email format'];
  return role.toLowerCase() === 'participant' ? [] : ['Only a participant can have a coach'];
}

function isEmail(text: string): boolean {
  return z.email().max(254).safeParse(text).success;
}

function isSame(left: string, right: string): boolean {
  return left.toLowerCase() === right.toLowerCase();
}

export const listImportableCohorts = endpoint({
  name: 'listImportableCohorts',
  method: 'GET',
  path: '/api/imports/cohorts',
  access: 'imports.manage',
  summary: 'Cohorts that people may be brought into.',
  shows: ['cohorts', 'enrolments'],
  response: z.object({ cohorts: z.array(z.object({ name: z.string(), programType: z.string() })) }),
});

/** DATA1-18. The error report is part of `readImport` in import-results.ts. */
export const ImportItem = z.object({
  id: Id,
  filename: z.string(),
  status: z.enum(['processing', 'completed', 'failed']),
  totalRecords: z.number().int(),
  successfulRecords: z.number().int(),
  failedRecords: z.number().int(),
  createdAt: Instant,
  completedAt: Instant.nullable(),
  /** The person who sent the file. */
  createdBy: z.object({ firstName: z.string(), lastName: z.string() }),
  /** When its people were taken out again. */
  undoneAt: Instant.nullable(),
});

export const listImports = endpoint({
  name: 'listImports',
  method: 'GET',
  path: '/api/imports',
  access: 'imports.manage',
  mayReadReplica: true,
  summary: 'Earlier uploads, newest first.',
  shows: ['imports'],
  query: z.object({ cursor: Id.optional() }),
  response: pageOf(ImportItem),
});
