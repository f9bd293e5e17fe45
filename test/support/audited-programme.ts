import { expect } from 'vitest';
import { specifiedRules } from '#contract/default-programme.ts';
import { publishRules, saveRuleDraft } from '#contract/programmes.ts';
import { setSecondApprover } from '#contract/stipend-cohorts.ts';
import type { AuditAction } from '#server/platform/audit-actions.ts';
import { buildCohort } from '../factories/cohorts.ts';
import { buildAdmin } from '../factories/people.ts';
import { buildProgramme } from '../factories/programmes.ts';
import { type AuditedAct, byCall, otherThan, rewriting, writing } from './audited-calls.ts';

const gone = (name: string, ...fields: string[]) =>
  byCall(name, () => ({ before: Object.fromEntries(fields.map((field) => [field, expect.anything()])) }));
const ordered = (name: string) =>
  byCall(name, ({ sent }) => ({
    before: { ids: expect.arrayContaining(sent.ids as string[]) },
    after: { ids: sent.ids },
  }));
const moved = (name: string) => byCall(name, () => ({ after: { direction: 'up', place: 1 } }));

/** Writes of admins: cohorts, courses and everything that is taught. */
export const auditedProgramme = {
  'activity.assign': byCall('assignActivity', ({ sent }) => ({
    before: { cohortId: null },
    after: { cohortId: sent.cohortId },
  })),
  'activity.create': writing('createActivity', 'title', 'weekNumber'),
  'activity.delete': gone('deleteActivity', 'title', 'weekNumber'),
  'activity.update': rewriting('updateActivity', 'title'),
  'assignment.create': writing('createContentAssignment', 'title', 'contentItemId'),
  'assignment.delete': byCall('deleteContentAssignment', () => ({
    before: { title: expect.any(String) },
    after: { isArchived: false, submissions: 0, drafts: 0 },
  })),
  'assignment.order': ordered('orderContentAssignments'),
  'assignment.update': rewriting('updateContentAssignment', 'title'),
  'cohort.ask_one_approver': onSecondApprover([true, false], { from: true, to: true }),
  'cohort.create': writing('createCohort', 'name', 'startDate', 'endDate'),
  'cohort.keep_second_approver': onSecondApprover([true, false, true], { from: true, to: true }),
  'cohort.move': byCall('moveCohort', () => ({
    before: { startDate: '2025-09-08', endDate: expect.any(String) },
    after: { startDate: '2027-03-01', movesDates: true },
  })),
  'cohort.set_second_approver': onSecondApprover([true], { from: false, to: true }),
  'cohort.update': byCall('updateCohort', ({ sent }) => ({
    before: { name: otherThan(sent.name), status: 'active' },
    after: { name: sent.name, status: 'planning' },
  })),
  'content.create': byCall('createContent', ({ params, sent, answer }) => ({
    subjectId: answer.id,
    after: { trainingActivityId: params.id, title: sent.title },
  })),
  'content.delete': byCall('deleteContent', () => ({
    before: { title: expect.any(String) },
    after: { assignments: 0, archivedAssignments: [] },
  })),
  'content.order': ordered('orderContents'),
  'content.update': rewriting('updateContent', 'title'),
  'course.create': writing('createCourse', 'title', 'trackType'),
  'course.delete': gone('deleteCourse', 'title', 'trackType'),
  'course.update': rewriting('updateCourse', 'title'),
  'module.create': writing('createModule', 'title', 'moduleType'),
  'module.delete': gone('deleteModule', 'title', 'moduleType'),
  'module.move': moved('moveModule'),
  'module.update': rewriting('updateModule', 'title'),
  'programme.copy': byCall('copyProgramme', ({ sent, answer }) => ({
    subjectId: answer.cohortId,
    after: { name: sent.name, sourceCohortId: sent.sourceCohortId, activities: 1 },
  })),
  'programme.create': byCall('copyProgrammeFacts', ({ sent }) => ({
    subjectId: String(sent.id),
    after: { name: sent.name, source: expect.any(String) },
  })),
  'programme.undo_copy': async (world) => {
    const copied = await byCall('copyProgramme', ({ answer }) => ({ subjectId: answer.cohortId }))(world);
    const copies = world.server.db.selectFrom('programmeCopies').select('id').where('cohortId', '=', copied.subjectId);
    const { id } = await copies.executeTakeFirstOrThrow();
    const client = await world.server.as(world.admin);
    expect((await client.fetch(`/api/programme-copies/${id}`, { method: 'DELETE' })).status).toBe(200);
    return { ...copied, before: { name: expect.any(String), startDate: '2027-03-01', activities: 1 } };
  },
  'programme.update': byCall('updateProgramme', () => ({
    before: { weeks: 16, payPeriod: 'week' },
    after: { weeks: 20, payPeriod: 'two_weeks', zone: 'America/Denver' },
  })),
  'requirement.create': writing('createRequirement', 'title', 'cohortId', 'dueDate'),
  'requirement.delete': gone('deleteRequirement', 'title', 'cohortId', 'dueDate'),
  'requirement.move': moved('moveRequirement'),
  'rules.discard': byCall('discardRuleDraft', () => ({ before: { edition: 1 } })),
  'rules.draft': byCall('saveRuleDraft', () => ({ after: { edition: 1 } })),
  'rules.first_publish': async (world) => {
    const { id: programmeId } = await buildProgramme(world.server.db);
    await buildCohort(world.server.db, { programmeId, needsSecondApprover: true });
    const client = await world.server.as(world.admin);
    const params = { id: programmeId };
    const { version: _, ...rules } = specifiedRules;
    const { edition } = await client.call(saveRuleDraft, { params, body: { rules, edition: null } });
    await client.call(publishRules, { params, body: { edition, fromDay: '2027-03-01' } });
    const after = { version: 2, fromDay: '2027-03-01' };
    return { actorId: world.admin.id, subjectId: programmeId, after };
  },
  'rules.publish': byCall('publishRules', ({ sent }) => ({ after: { version: 2, fromDay: sent.fromDay } })),
  'requirement.update': rewriting('updateRequirement', 'title'),
  'resource.create': writing('createResource', 'title'),
  'resource.delete': gone('deleteResource', 'title'),
  'resource.update': rewriting('updateResource', 'title'),
  'track.create': writing('createTrack', 'name'),
  'track.delete': gone('deleteTrack', 'name'),
  'track.update': rewriting('updateTrack', 'name'),
} satisfies Partial<Record<AuditAction, AuditedAct>>;

/** Sends the wishes one after the other. The log must tell of the last one. */
function onSecondApprover(wishes: boolean[], { from, to }: { from: boolean; to: boolean }): AuditedAct {
  return async ({ server, admin }) => {
    await buildAdmin(server.db);
    const { id } = await buildCohort(server.db);
    const client = await server.as(admin);
    for (const isNeeded of wishes) await client.call(setSecondApprover, { params: { id }, body: { isNeeded } });
    const [before, after] = [from, to].map((needsSecondApprover) => ({ needsSecondApprover }));
    return { actorId: admin.id, subjectId: id, before, after };
  };
}
