import * as contract from '#contract/cohorts.ts';
import { type App, serve } from '#server/platform/serve.ts';
import { findCohortMember, findCohortMembers } from './cohort-member-queries.ts';
import { takeMemberBack, withdrawMember } from './cohort-members.ts';
import { findCohort, findCohorts } from './cohort-setup-queries.ts';
import { createCohort, updateCohort } from './cohorts.ts';
import { enrolInFellowship } from './enrolments.ts';

export function cohortRoutes(app: App): void {
  serve(app, contract.listCohorts, ({ db, query }) => findCohorts(db, query));
  serve(app, contract.readCohort, ({ db, params }) => findCohort(db, params.id));
  serve(app, contract.createCohort, async ({ db, actor, body }) => findCohort(db, await createCohort(db, actor, body)));
  serve(app, contract.updateCohort, ({ db, actor, params, body }) => updateCohort(db, actor, params.id, body));
  serve(app, contract.listCohortMembers, ({ db, params, query }) => findCohortMembers(db, params.id, query));
  serve(app, contract.readCohortMember, ({ db, params: { id, participantId } }) =>
    findCohortMember(db, { cohortId: id, participantId }),
  );
  serve(app, contract.withdrawMember, ({ db, actor, params: { id, participantId }, body }) =>
    withdrawMember(db, actor, { cohortId: id, participantId }, body.reason),
  );
  serve(app, contract.takeMemberBack, ({ db, actor, params: { id, participantId } }) =>
    takeMemberBack(db, actor, { cohortId: id, participantId }),
  );
  serve(app, contract.enrolInFellowship, ({ db, actor, body }) =>
    enrolInFellowship(db, actor, body.userId, app.config.enrolCohortId),
  );
}
