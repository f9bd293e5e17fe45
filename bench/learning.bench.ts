import pg from 'pg';
import { readParticipantDashboard } from '#contract/home.ts';
import { readTrainingCalendar } from '#contract/learning.ts';
import { listSubmissions } from '#contract/submissions.ts';
import { openBenchApp } from './bench-app.ts';
import { buildLargeProgramme } from './large-programme.ts';
import { recordStatements } from './record-statements.ts';
import type { ComparedCase, Scenario } from './scenario.ts';

export const scenario: Scenario = {
  measured: 'over HTTP, parsed and checked, among 10,000 participants and 1,000,000 submissions',
  baseline: 'its own SQL through the bare driver, without what reads the session',
  rounds: 40,
  prepare: async () => {
    const app = await openBenchApp();
    const { admin, coach, participant } = await buildLargeProgramme(app.db, 10_000, { isHeavy: true });
    const bare = new pg.Client({ connectionString: app.connectionString });
    await bare.connect();
    const [ofParticipant, ofCoach, ofAdmin] = await Promise.all([participant, coach, admin].map((one) => app.as(one)));
    if (!ofParticipant || !ofCoach || !ofAdmin) throw new Error('Three people sign in.');
    const compare = async (name: string, read: () => Promise<unknown>): Promise<ComparedCase> => {
      const runMeasured = async () => void (await read());
      const statements = (await recordStatements(runMeasured)).filter(({ text }) => !/auth"?\."?session/.test(text));
      const runBaseline = async () => {
        for (const { text, values } of statements) await bare.query(text, values);
      };
      return { name, runMeasured, runBaseline };
    };
    return {
      cases: [
        await compare('Participant dashboard', () => ofParticipant.call(readParticipantDashboard)),
        await compare('Training calendar', () => ofParticipant.call(readTrainingCalendar)),
        await compare('Training calendar, an admin', () => ofAdmin.call(readTrainingCalendar)),
        await compare('Submissions, own', () => ofParticipant.call(listSubmissions, { query: {} })),
        await compare('Submissions, pending, own participants', () =>
          ofCoach.call(listSubmissions, { query: { view: 'pending', mine: 'true' } }),
        ),
        await compare('Submissions, everybody', () => ofAdmin.call(listSubmissions, { query: {} })),
        await compare('Submissions, pending', () => ofAdmin.call(listSubmissions, { query: { view: 'pending' } })),
        await compare('Submissions, of one status', () =>
          ofAdmin.call(listSubmissions, { query: { status: 'needs_revision' } }),
        ),
        await compare('Submissions, found by name', () =>
          ofAdmin.call(listSubmissions, { query: { search: 'Number 777' } }),
        ),
        await compare('Submissions, pending, newest first', () =>
          ofAdmin.call(listSubmissions, { query: { view: 'pending', order: 'newest' } }),
        ),
        await compare('Submissions, found by name, of one status, oldest first', () =>
          ofAdmin.call(listSubmissions, { query: { search: 'Session', status: 'accepted', order: 'oldest' } }),
        ),
      ],
      close: async () => {
        await bare.end();
        await app.close();
      },
    };
  },
};
