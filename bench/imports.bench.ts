import { Agent } from 'node:http';
import { sql } from 'kysely';
import { processBulkInvitations } from '#contract/documented-functions.ts';
import { readImport } from '#contract/import-results.ts';
import { listenLive } from '#contract/live.ts';
import type { Db } from '#server/db/database.ts';
import { newId } from '#server/platform/ids.ts';
import { buildCohort, buildCourse } from '../test/factories/cohorts.ts';
import { bulkRecordsFor } from '../test/factories/imports.ts';
import { buildAdmin } from '../test/factories/people.ts';
import { openBenchApp } from './bench-app.ts';
import { openStream } from './live-stream.ts';
import type { Scenario } from './scenario.ts';

const people = 1000;

export const scenario: Scenario = {
  measured: '1,000 people sent over HTTP until all are in, with their invitations and mails queued',
  baseline: 'the bare INSERTs of the same rows, one statement a table',
  rounds: 5,
  prepare: async () => {
    const app = await openBenchApp();
    const { db } = app;
    const admin = await app.as(await buildAdmin(db));
    const course = await buildCourse(db);
    const cohort = await buildCohort(db, { capacity: 1_000_000 });
    await app.runJobs();
    const stream = await openStream(new Agent(), `${app.url}${listenLive.path}`, admin.cookie);
    const runMeasured = async () => {
      const body = { records: bulkRecordsFor(cohort, people), filename: 'people.csv' };
      const answer = await admin.call(processBulkInvitations, { body });
      const params = { id: answer.import_id ?? '' };
      // Asks again when there is news, because asking all the time would be most of what is measured.
      let news = stream.nextChunk();
      let state = await admin.call(readImport, { params });
      while (state.status === 'processing') {
        await news;
        news = stream.nextChunk();
        state = await admin.call(readImport, { params });
      }
      if (state.successfulRecords !== people) throw new Error(`Only ${state.successfulRecords} people got in.`);
      if ((await countMails(db, params.id)) !== people) throw new Error('Not every mail is queued.');
    };
    const runBaseline = () => insertBare(db, { cohortId: cohort.id, courseId: course.id });
    return {
      cases: [{ name: 'Bulk user creation', runMeasured, runBaseline }],
      close: () => {
        stream.close();
        return app.close();
      },
    };
  },
};

async function countMails(db: Db, importId: string): Promise<number> {
  const mails = await db
    .selectFrom('deliveries')
    .innerJoin('bulkImportRows', 'bulkImportRows.userId', 'recipientId')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('importId', '=', importId)
    .where('kind', '=', 'invitation')
    .executeTakeFirstOrThrow();
  return mails.count;
}

/**
 * The same number of accounts, profiles, memberships, enrolments, invitations, links and emails, in one transaction.
 */
async function insertBare(db: Db, { cohortId, courseId }: { cohortId: string; courseId: string }): Promise<void> {
  const given = Array.from({ length: people }, () => ({ id: newId(), invitation: newId() })).map((ids) => ({
    ...ids,
    email: `bare-${ids.id}@people.example`,
    token: `token-${ids.id}`,
  }));
  await db.transaction().execute(async (transaction) => {
    const rows = sql`
      (select * from jsonb_to_recordset(${JSON.stringify(given)}::jsonb)
        as given (id uuid, invitation uuid, email text, token text)) given`;
    for (const insert of [
      sql`insert into auth."user" (id, name, email, first_name, last_name) select id, 'Nadia Ng', email, 'Nadia', 'Ng' from ${rows}`,
      sql`insert into profiles (id, email, first_name, last_name) select id, email, 'Nadia', 'Ng' from ${rows}`,
      sql`insert into cohort_participants (cohort_id, participant_id) select ${cohortId}, id from ${rows}`,
      sql`insert into user_courses (user_id, course_id) select id, ${courseId} from ${rows}`,
      sql`insert into invitations (id, user_id, expires_at) select invitation, id, now() + interval '7 days' from ${rows}`,
      sql`insert into auth.password_link (token_hash, user_id, kind, invitation_id, expires_at)
        select token, id, 'invitation', invitation, now() + interval '7 days' from ${rows}`,
      sql`insert into deliveries (kind, recipient_id, address, subject, text_body)
        select 'invitation', id, email, 'Your invitation', 'Choose a password' from ${rows}`,
    ]) {
      await insert.execute(transaction);
    }
  });
}
