import type { BulkRecord } from '#contract/documented-functions.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import type { checkImport } from '#contract/import-results.ts';
import type { Db } from '#server/db/database.ts';
import { findImportableCohorts, findProgramCourses } from '#server/features/cohorts/cohort-queries.ts';
import { checkRecords, cleanRecord } from './import-checks.ts';
import { freePlacesOf, placeRows } from './import-places.ts';
import { findRoles } from './import-queries.ts';

type Plan = ReplyOf<typeof checkImport>;

/** Tells what would happen to these people now: who would be left out and why, and how cohorts would fill. */
export async function planImport(db: Db, records: BulkRecord[]): Promise<Plan> {
  const { rows, cohorts } = await checkAgainstDatabase(db, records);
  // Stryker disable next-line ConditionalExpression: A failed row has no role and no cohort, so it takes no place.
  const waiting = rows.flatMap((row) => (row.status === 'waiting' ? [row] : []));
  // The check of the rows has already found every coach.
  // Stryker disable next-line ArrayDeclaration: Nobody asks for a coach whom no row names.
  const coachEmails = waiting.flatMap(({ record }) => record.coachEmail ?? []);
  const coaches = new Map(coachEmails.map((email) => [email, email]));
  const placed = placeRows(waiting, { cohorts, courses: await findProgramCourses(db), coaches });
  const placeErrors = new Map(placed.map(({ rowNumber, error }) => [rowNumber, error]));
  const participants = Map.groupBy(
    placed.filter(({ role }) => role === 'participant'),
    ({ cohortId }) => cohortId,
  );
  return {
    leftOut: rows.flatMap(({ rowNumber, record, error }) => {
      const reason = error ?? placeErrors.get(rowNumber);
      return reason ? [{ row: rowNumber, email: record.email, error: reason }] : [];
    }),
    cohorts: cohorts.flatMap((cohort) => {
      const { length } = participants.get(cohort.id) ?? [];
      const { name, programType } = cohort;
      return length > 0 ? [{ name, programType, participants: length, freePlaces: freePlacesOf(cohort) }] : [];
    }),
  };
}

/** Applies the rules of a row, with what the database knows of its addresses and places. */
export async function checkAgainstDatabase(db: Db, given: BulkRecord[]) {
  const records = given.map(cleanRecord);
  const emails = records.flatMap(({ email, coach_email }) => [email, coach_email]);
  const cohorts = await findImportableCohorts(db);
  const rows = checkRecords(records, { cohorts, roles: await findRoles(db, [...new Set(emails)]) });
  return { rows, cohorts };
}
