import type { Role } from '#contract/roles.ts';

/** Endpoints with an id for which the role has no forbidden record, and why. */
export const recordsOfAll: Partial<Record<Role, Record<string, string>>> = {
  participant: {
    discardAssignmentDraft: 'Only ever the own draft; a stranger has none.',
    listNotices: 'The id is a place in the own list.',
    listSessions: 'The id is a place in the own list.',
    listSignIns: 'The id is a place in the own list.',
    listSubmissions: 'The id narrows down the own list.',
    markAllNoticesRead: 'The id is a place in the own list.',
    readBooking: 'Of a coach who is not the own one nothing is answered: COACH-46 in booking.test.ts.',
    readTrack: 'A track on offer is for everybody; tracks.test.ts refuses one that is not.',
    selectTrack: 'A track on offer is for everybody; tracks.test.ts refuses one that is not.',
    startProviderLink: 'A provider belongs to nobody.',
  },
  coach: {
    ...because('Coaches see the activities of their track, all when they have none (CAL-21).', [
      'readActivity',
      'readActivityContent',
      'readAssignment',
    ]),
    ...because('Coaches read and review the work of all (SEC-14).', [
      'claimReview',
      'listSubmissions',
      'correctReview',
      'readSubmission',
      'releaseReview',
      'reviewSubmission',
      'saveReviewDraft',
      'takeReviewBack',
    ]),
    listNotices: 'The id is a place in the own list.',
    listSessions: 'The id is a place in the own list.',
    listSignIns: 'The id is a place in the own list.',
    markAllNoticesRead: 'The id is a place in the own list.',
    readAttendance: 'Only own participants are in it: attendance-list.test.ts.',
    readAvailability: 'A week of the own times has no id.',
    saveAvailability: 'A week of the own times has no id.',
    startProviderLink: 'A provider belongs to nobody.',
  },
};

function because(reason: string, names: string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, reason]));
}
