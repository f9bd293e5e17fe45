import { sql } from 'kysely';
import pg from 'pg';
import { listContents } from '#contract/contents.ts';
import type { InputOf } from '#contract/endpoint.ts';
import { listProgrammeActivities, listRequirements } from '#contract/programme-items.ts';
import { listCourses, listModules, listTracks } from '#contract/programme-setup.ts';
import { listLibraryResources, listResources, resourceOrders } from '#contract/resources.ts';
import { listTrainingActivities } from '#contract/training-activities.ts';
import { buildCohort, buildCourse } from '../test/factories/cohorts.ts';
import {
  buildActivity,
  buildAssignment,
  buildContentItem,
  buildModule,
  buildTrack,
} from '../test/factories/curriculum.ts';
import { buildAdmin, buildCoach } from '../test/factories/people.ts';
import { openBenchApp } from './bench-app.ts';
import { recordStatements } from './record-statements.ts';
import type { ComparedCase, Scenario } from './scenario.ts';

const activities = 5000;
const resourceCount = 5000;

export const scenario: Scenario = {
  measured: 'over HTTP, parsed and checked, among 5,000 training activities and as many resources',
  baseline: 'its own SQL through the bare driver, without what reads the session',
  rounds: 40,
  prepare: async () => {
    const app = await openBenchApp();
    const { db } = app;
    const admin = await app.as(await buildAdmin(db));
    const coach = await app.as(await buildCoach(db));
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
    await sql`
      insert into resources (title, description, file_type, file_url, course_module, program, created_at)
      select 'Slides ' || n, 'What was shown in session ' || n, (array['recording', 'slide', 'material'])[1 + n % 3],
        'https://files.example/' || n, 'Module ' || n % 20,
        (array['fellowship', 'adult_mobilization', 'self_learner'])[1 + n % 3], now() + n * interval '1 millisecond'
      from generate_series(1, ${resourceCount}::integer) n`.execute(db);
    await sql`
      insert into weekly_requirements (cohort_id, week_number, title, type, due_date)
      select ${cohort.id}, 1 + n % 16, 'Requirement ' || n, 'reading', date '2026-01-05' + n
      from generate_series(1, 320) n`.execute(db);
    for (const n of Array.from({ length: 40 }, (_, index) => index)) {
      await buildModule(db, { title: `Quality ${n}` });
      await buildTrack(db, { name: `Quality ${n}` });
      await buildCourse(db, { title: `Quality ${n}` });
    }
    await sql`vacuum analyze`.execute(db);
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
    const programme = (query: InputOf<typeof listProgrammeActivities>['query']) =>
      admin.call(listProgrammeActivities, { query });
    const secondOfProgramme = (await programme({})).nextCursor ?? undefined;
    const resources = (query: InputOf<typeof listResources>['query']) => admin.call(listResources, { query });
    const secondOfResources = (await resources({})).nextCursor ?? undefined;
    const library = (query: InputOf<typeof listLibraryResources>['query']) =>
      coach.call(listLibraryResources, { query });
    const sorted = [];
    for (const order of resourceOrders) {
      sorted.push(await compare(`Resources, ${order}`, () => resources({ order })));
    }
    const named = { query: { search: 'quality' } };
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
        await compare('Programme activities', () => programme({})),
        await compare('Programme activities, second page', () => programme({ cursor: secondOfProgramme })),
        await compare('Programme activities, found by title', () => programme({ search: 'Session 49' })),
        await compare('Programme activities, of a cohort and week', () => programme({ cohort: cohort.id, week: 7 })),
        await compare('Requirements of a cohort', () => admin.call(listRequirements, { query: { cohort: cohort.id } })),
        await compare('Modules, found by title', () => admin.call(listModules, named)),
        await compare('Tracks, found by name', () => admin.call(listTracks, named)),
        await compare('Courses, found by title', () => admin.call(listCourses, named)),
        ...sorted,
        await compare('Resources, second page', () => resources({ cursor: secondOfResources })),
        await compare('Resources, found by title', () => resources({ search: 'Slides 49' })),
        await compare('Resources, nothing found', () => resources({ search: 'nothing at all' })),
        await compare('Resources, of a module', () => resources({ module: 'Module 7', type: 'slide' })),
        await compare('Library', () => library({})),
        await compare('Library, found by title', () => library({ search: 'Slides 49' })),
        await compare('Contents of an activity', () => admin.call(listContents, { params: { id: activity.id } })),
      ],
      close: async () => {
        await bare.end();
        await app.close();
      },
    };
  },
};
