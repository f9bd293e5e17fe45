import fc from 'fast-check';
import {
  claimLengthInMs,
  claimReview,
  readSubmission,
  releaseReview,
  reviewSubmission,
  takeReviewBack,
} from '#contract/reviews.ts';
import { buildAssignment } from '#test/factories/curriculum.ts';
import { type BuiltPerson, buildAdmin, buildCoach, buildParticipant } from '#test/factories/people.ts';
import { buildSubmission } from '#test/factories/submissions.ts';
import type { TestApp } from '../app.ts';
import { openProcessSession } from '../server-process.ts';
import { type ClaimsCall, claimsModel, type Outcome, seen } from './claims-model.ts';
import { type Asked, answerTo, at, clientCount, type HistorySize, one, runHistory, scheduleOf } from './clients.ts';
import type { TwoProcesses } from './two-processes.ts';

/** So many acts concern one submission, before the clients turn to the next. */
const actsForEach = 30;

const plans = fc.record({
  act: fc.constantFrom(...(['claim', 'claim', 'release', 'release', 'review', 'see'] as const)),
  outcome: fc.constantFrom<Outcome[]>('accepted', 'needs_revision', 'rejected'),
});
type Plan = typeof plans extends fc.Arbitrary<infer Drawn> ? Drawn : never;

/**
 * Eight who review, half of them coaches and half admins, claim, release and review. A person who has reviewed takes
 * that back next.
 */
export async function claimsHistory(server: TestApp, processes: TwoProcesses, size: HistorySize) {
  const schedule = scheduleOf(plans, size);
  const count = Math.ceil(size.acts / actsForEach);
  const submissions: string[] = [];
  for (let made = 0; made < count; made += 1) submissions.push(await buildWaitingWork(server));
  const reviewers = await Promise.all(
    Array.from({ length: clientCount }, (_, client) => buildReviewer(server, client)),
  );
  const names = new Map(reviewers.map(({ id, name }) => [id, name]));
  const nameOf = (claim: { reviewerId: string } | null) => (claim ? (names.get(claim.reviewerId) ?? 'somebody') : null);
  /** What each client can take back, by submission. The answer to a review names its instant. */
  const reviews = new Map<string, { review: string; reviewedAt: string }>();

  function ask({ act, outcome }: Plan, client: number, place: number): Asked<ClaimsCall> {
    const index = Math.floor((place * count) / at(schedule.clients, client).length);
    const { cookie, name: reviewer } = at(reviewers, client);
    const params = { id: at(submissions, index) };
    const who = { submission: submissionName(index), reviewer };
    const mine = reviews.get(`${index} ${client}`);
    if (act === 'see') return look(index, client);
    if (mine && act !== 'review') {
      return one({ ...who, act: 'take back', review: mine.review }, cookie, (asker) =>
        answerTo(asker.ask(takeReviewBack, { params, body: { reviewedAt: mine.reviewedAt } }), () => {
          reviews.delete(`${index} ${client}`);
          return 'ok';
        }),
      );
    }
    if (act === 'claim') {
      return one({ ...who, act }, cookie, (asker) =>
        answerTo(asker.ask(claimReview, { params }), ({ claim }) => nameOf(claim) ?? 'nobody'),
      );
    }
    if (act === 'release') {
      return one({ ...who, act }, cookie, (asker) =>
        answerTo(asker.ask(releaseReview, { params, query: {} }), (said) => (said.isReleased ? 'released' : 'nothing')),
      );
    }
    const review = `review ${client + 1}.${place + 1}`;
    const body = { status: outcome, feedback: review, roundNumber: 1 };
    return one({ ...who, act, outcome, review }, cookie, (asker) =>
      answerTo(asker.ask(reviewSubmission, { params, body }), ({ reviewedAt }) => {
        reviews.set(`${index} ${client}`, { review, reviewedAt });
        return 'ok';
      }),
    );
  }

  function look(index: number, client: number): Asked<ClaimsCall> {
    const { cookie, name: reviewer } = at(reviewers, client);
    const params = { id: at(submissions, index) };
    return one({ submission: submissionName(index), reviewer, act: 'see' }, cookie, (asker) =>
      answerTo(asker.ask(readSubmission, { params }), ({ status, claim }) => seen(status, nameOf(claim))),
    );
  }

  const lastly = submissions.map((_, index) => look(index, 0));
  const startedAt = performance.now();
  const acts = await runHistory(processes, schedule, { ask, lastly });
  if (performance.now() - startedAt > claimLengthInMs) throw new Error('Claims may have ended during this history.');
  return { model: claimsModel, acts };
}

async function buildWaitingWork({ db }: TestApp): Promise<string> {
  const participant = await buildParticipant(db);
  const assignment = await buildAssignment(db);
  return (await buildSubmission(db, { assignmentId: assignment.id, userId: participant.id })).id;
}

async function buildReviewer(server: TestApp, client: number) {
  const role = client % 2 === 0 ? 'coach' : 'admin';
  const person: BuiltPerson = await (role === 'coach' ? buildCoach : buildAdmin)(server.db);
  return { id: person.id, name: `${role} ${client + 1}`, cookie: await openProcessSession(server, person) };
}

const submissionName = (index: number) => `submission ${index + 1}`;
