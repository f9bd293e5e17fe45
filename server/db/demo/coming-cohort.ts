import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { checkRecords } from '#server/features/imports/import-checks.ts';
import { importNextChunk } from '#server/features/imports/import-chunks.ts';
import type { Actor } from '#server/platform/actor.ts';
import { comingFellows, demoAddress, type Name } from './names.ts';

interface Coming {
  id: string;
  name: string;
  coach: Actor | undefined;
  publicUrl: string;
}

/**
 * A file of people for the coming cohort, in the history of imports with two records that failed. The act that takes
 * an upload opens transactions of its own and waits for its job, so the upload is written down here; its records are
 * checked and its people made by the acts. The last two still wait for a coach.
 */
export async function importComingFellows(db: Db, admin: Actor, { id, name, coach, publicUrl }: Coming): Promise<void> {
  const coachEmail = coach?.email ?? '';
  const record = ([first, last]: Name, email: string, coach_email = coachEmail) => ({
    first_name: first,
    last_name: last,
    email,
    program: 'fellowship',
    cohort: name,
    role: 'participant',
    coach_email,
  });
  const records = [
    ...comingFellows.slice(0, -2).map((person) => record(person, demoAddress(person))),
    ...comingFellows.slice(-2).map((person) => record(person, demoAddress(person), '')),
    record(['Pat', 'Lindqvist'], 'pat.lindqvist(at)people.demo.example'),
    record(['Jordan', 'Whitfield'], 'participant@demo.example'),
  ];
  const roles = new Map([
    ['participant@demo.example', 'participant'],
    [coachEmail, 'coach'],
  ]);
  const rows = checkRecords(records, { cohorts: [{ id, name, programType: 'fellowship' }], roles });
  const upload = await db
    .insertInto('bulkImports')
    .values({
      filename: 'accepted-applicants.csv',
      totalRecords: rows.length,
      failedRecords: rows.filter(({ status }) => status === 'failed').length,
      createdBy: admin.id,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await sql`
    insert into bulk_import_rows (import_id, row_number, record, status, error)
    select ${upload.id}, "rowNumber", record, status, error
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given
      ("rowNumber" integer, record jsonb, status text, error text)`.execute(db);
  while (await importNextChunk(db, upload.id, publicUrl));
}
