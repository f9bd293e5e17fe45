import * as assignment from '#contract/coach-assignment.ts';
import * as contract from '#contract/enrolments.ts';
import { type App, serve } from '#server/platform/serve.ts';
import { findCoaches, findParticipantsWithoutCoach } from './coach-assignment-queries.ts';
import { assignCoach, previewCoachAssignment } from './coach-assignments.ts';
import { findCoachReplacement, findEnrolmentTargets } from './enrolment-queries.ts';
import { enrolInCohort, enrolPeople, previewEnrolments } from './enrolments.ts';

export function enrolmentRoutes(app: App): void {
  serve(app, contract.listEnrolmentTargets, async ({ db }) => ({ cohorts: await findEnrolmentTargets(db) }));
  serve(app, contract.previewCoachReplacement, ({ db, query }) => findCoachReplacement(db, query, app.config));
  serve(app, contract.enrolInCohort, ({ db, actor, body }) => enrolInCohort(db, actor, body, app.config));
  serve(app, contract.previewEnrolments, ({ db, body }) => previewEnrolments(db, body));
  serve(app, contract.enrolPeople, ({ db, actor, body }) => enrolPeople(db, actor, body));
  serve(app, assignment.listCoaches, ({ db, query }) => findCoaches(db, query));
  serve(app, assignment.listParticipantsWithoutCoach, ({ db, query }) => findParticipantsWithoutCoach(db, query));
  serve(app, assignment.assignCoach, ({ db, actor, body }) => assignCoach(db, actor, body));
  serve(app, assignment.previewCoachAssignment, ({ db, body }) => previewCoachAssignment(db, body));
}
