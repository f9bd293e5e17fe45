import { sql } from 'kysely';
import pg from 'pg';
import { listContents } from '#contract/contents.ts';
import { listTrainingActivities } from '#contract/training-activities.ts';
import { buildCohort } from '../test/factories/cohorts.ts';
import { buildActivity, buildAssignment, buildContentItem } from '../test/factories/curriculum.ts';
import { buildAdmin } from '../test/factories/people.ts';
import { openBenchApp } from './bench-app.ts';
import { recordStatements } from './record-statements.ts';
import type { ComparedCase, Scenario } from './scenario.ts';

const activities = 5000;

export const scenario: Scenario = {
  measured: 'over HTTP, parsed and checked, among 5,000 training activities',
  baseline: 'its own SQL through the bare driver, without what reads the session',
  rounds: 40,
  prepare: async () => {
    const app = await openBenchApp();
    const { db } = app;
    const admin = await app.as(await buildAdmin(db));
    const cohort = await buildCohort(db, { name: 'Autumn' });
    await sql`
      insert into training_activities
        (cohort_id, title, week_number, module_name, delivery_partner, session_date, created_at)
      select case when n % 3 = 0 then ${cohort.id}::uuid end, 'Session ' || n, 1 + n % 20,
        (array['Career Readiness', 'Quality Assurance', 'Case Management'])[1 + n % 3], 'Partner ' || n % 40,
        date '2026-01-05' + n % 100, now() + n * interval '1 millisecond'
      from generate_series(1, ${activities}::integer) n`.execute(db);
    const activity = await buildActivity(db);
    for (let place = 1; place <= 10; place += 1) {
      const item = await buildContentItem(db, { trainingActivityId: activity.id, orderIndex: place });
      await buildAssignment(db, { contentItemId: item.id });
    }
    await sql`analyze`.execute(db);
    const bare = new pg.Client({ connectionString: app.connectionString });
    await bare.connect();
    const compare = async (name: string, read: () => Promise<unknown>): Promise<ComparedCase> => {
      const runMeasured = async () => void (await read());
      const statements = (await recordStatements(runMeasured)).filter(({ text }) => !/auth"?\."?session/.test(text));
      const runBaseline = async () => {
        for (const { text, values } of statements) await bare.query(text, values);
      };
      return { name, runMeasured, runBaseline };
    };
    const list = (query: object) => admin.call(listTrainingActivities, { query });
    const { nextCursor } = await list({});
    return {
      cases: [
        await compare('Training activities, first page', () => list({})),
        await compare('Training activities, second page', () => list({ cursor: nextCursor ?? undefined })),
        await compare('Training activities, found by title', () => list({ search: 'Session 49' })),
        await compare('Training activities, found by partner', () => list({ search: 'partner 3' })),
        await compare('Training activities, of a week', () => list({ week: 7 })),
        await compare('Training activities, of a cohort', () => list({ cohort: cohort.id })),
        await compare('Training activities, unassigned', () => list({ cohort: 'unassigned' })),
        await compare('Training activities, all filters', () =>
          list({ search: 'session', week: 7, cohort: cohort.id }),
        ),
        await compare('Contents of an activity', () => admin.call(listContents, { params: { id: activity.id } })),
      ],
      close: async () => {
        await bare.end();
        await app.close();
      },
    };
  },
};
