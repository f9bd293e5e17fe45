import type { Db } from '#server/db/database.ts';
import { importNextChunk } from '#server/features/imports/import-chunks.ts';
import { keepUpload } from '#server/features/imports/imports.ts';
import type { Actor } from '#server/platform/actor.ts';
import type { InvitingApp } from '#server/sign-in/invitations.ts';
import { comingFellows, demoAddress, type Name } from './names.ts';

interface Coming {
  name: string;
  coach: Actor | undefined;
  app: InvitingApp;
}

/**
 * Puts a file of people for the coming cohort into the history of imports, with two records that failed. The file is
 * kept like an upload. Its people are made here at once, so its job finds nothing left to do. The last two still wait
 * for a coach.
 */
export async function importComingFellows(db: Db, admin: Actor, { name, coach, app }: Coming): Promise<void> {
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
  const importId = await keepUpload(db, admin, { records, filename: 'accepted-applicants.csv' });
  while (await importNextChunk(db, importId, app));
}
