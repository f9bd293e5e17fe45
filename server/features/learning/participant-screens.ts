import type { Endpoint } from '#contract/endpoint.ts';
import { readFellowship } from '#contract/fellowship.ts';
import { readParticipantDashboard } from '#contract/home.ts';
import { readActivity, readTrainingCalendar } from '#contract/learning.ts';
import { listOwnStipendWeeks } from '#contract/stipend-weeks.ts';

/** What shows a participant's own learning, and is read again when it changes. */
export const participantScreens: Endpoint[] = [
  readParticipantDashboard,
  listOwnStipendWeeks,
  readActivity,
  readTrainingCalendar,
  readFellowship,
];
