import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, test } from 'vitest';
import { type CohortProgressRow, type MemberProgress, readMemberProgress } from '#contract/cohort-progress.ts';
import { specifiedRules } from '#contract/default-programme.ts';
import type { CoachDashboard } from '#contract/home.ts';
import type { CalendarActivity } from '#contract/learning.ts';
import { notCounted } from '#contract/stipend-facts.ts';
import { judge } from '#contract/stipend-rules.ts';
import type { StipendWeek } from '#contract/stipend-weeks.ts';
import { draw } from '#test/support/draw.tsx';
import { Somewhere } from '#test/support/somewhere.tsx';
import { queryClient, queryFor } from '../../api/query-for.ts';
import { ActivityList } from '../learning/ActivityList.tsx';
import { CohortProgressTable } from '../learning/CohortProgressTable.tsx';
import { MemberProgressDialog } from '../learning/MemberProgressDialog.tsx';
import { ProgressCard } from '../learning/ProgressCard.tsx';
import { CoachParticipants } from './CoachParticipants.tsx';
import { ParticipantFigures } from './ParticipantFigures.tsx';
import { ParticipantPendingActivities } from './ParticipantPendingActivities.tsx';
import { ParticipantStipend } from './ParticipantStipend.tsx';
import { ParticipantWeekPanel } from './ParticipantWeekPanel.tsx';

/** It is Wednesday of week 5. One of five activities is done, and the others are over. */
const today = '2025-10-08';
const week = { number: 5, firstDay: '2025-10-06', lastDay: '2025-10-10', holiday: null };
const progress = { overallPercentage: 8, status: 'at_risk', daysAheadBehind: -16 } as const;
const person = { firstName: 'Ada', lastName: 'Ng', email: 'ada@people.example' };
const thisWeek = { done: 1, total: 5, isOnTrack: false };
const judged = judge(
  {
    ...notCounted,
    ...{ activitiesTotal: 5, activitiesAccessed: 1, rating: null },
    ...{ assignmentsTotal: 1, assignmentsSubmitted: 0, assignmentsUntouched: 0 },
  },
  specifiedRules,
);
const stipend = {
  present: { weekNumber: 5, payPeriod: 'week' as const, firstDay: '2025-10-06', lastDay: '2025-10-10' },
  rules: { criteria: specifiedRules.criteria },
  ...{ weeklyCents: 50_000, totalEarnedCents: 0, decidedAt: null, recentWeeks: [] },
  ...{ criteria: judged, isEligible: false, isOutOfReach: true },
} satisfies Parameters<typeof ParticipantStipend>[0]['stipend'] & Partial<StipendWeek>;
const late: CalendarActivity = {
  ...{ id: 'a', title: 'Metering lab', weekNumber: 5, sessionDate: '2025-10-06', state: 'overdue' },
  ...{ sessionTime: null, durationMinutes: null, moduleName: null, deliveryMedium: null, cohortName: null },
  zone: 'America/New_York',
};
const coached: CoachDashboard['participants'][number] = {
  ...person,
  ...{ id: 'p', courseTitle: 'Fellowship', status: 'enrolled', trackType: 'fellowship', startDate: '2025-09-08' },
  ...{ kindName: 'Fellowship', payPeriod: 'week' },
  ...{ totalSubmissions: 1, gradedSubmissions: 1, missedActivities: 1, submissionsToRevise: 1 },
  ...{ overdueAssignments: 0, missedSessions: 0, isSilent: false, isStipendAtRisk: true, progress },
};
const row: CohortProgressRow = {
  ...person,
  ...progress,
  ...{ participantId: 'p', totalModules: 0, completedModules: 0, coreModulesCompleted: 0 },
  ...{ lastActivityDate: null, trackName: null, isTrackLocked: false },
};
const member: MemberProgress = {
  ...person,
  ...{ participantId: 'p', cohortName: 'Autumn fellows', progress, modules: [], selection: null },
  can: { setModules: false, lockTrack: false },
};
const place = { id: 'c', participantId: 'p' };
const retry = { onRetry: () => undefined, isRetrying: false };

const screens: Record<string, ReactNode> = {
  figures: <ParticipantFigures dashboard={{ today, progress, thisWeek, stipend, notLoaded: [] }} />,
  week: <ParticipantWeekPanel thisWeek={thisWeek} activities={[]} week={week} cohortName="Autumn fellows" isPaid />,
  stipend: <ParticipantStipend stipend={stipend} week={week} today={today} isNotLoaded={false} retry={retry} />,
  pending: <ParticipantPendingActivities activities={[late]} today={today} />,
  calendar: <ActivityList activities={[late]} weeks={{ currentWeek: 5, holidays: [], today }} />,
  fellowship: <ProgressCard progress={progress} />,
  coach: <CoachParticipants participants={[coached]} total={1} />,
  cohort: <CohortProgressTable rows={[row]} onOpen={() => undefined} />,
  member: <MemberProgressDialog cohortId="c" participantId="p" onClose={() => undefined} />,
};

function wordsOf(screen: ReactNode): string {
  cleanup();
  queryClient.setQueryData(queryFor(readMemberProgress, { params: place }).queryKey, member);
  draw(
    <QueryClientProvider client={queryClient}>
      <Somewhere>{screen}</Somewhere>
    </QueryClientProvider>,
  );
  const page = document.body.cloneNode(true) as Element;
  for (const style of page.querySelectorAll('style')) style.remove();
  return page.textContent ?? '';
}

test('of one person and one day every screen says the same of the programme, of the week and of what is overdue', () => {
  const words = Object.fromEntries(Object.entries(screens).map(([name, screen]) => [name, wordsOf(screen)]));
  for (const name of ['figures', 'fellowship', 'coach', 'cohort', 'member']) {
    expect(words[name], name).toContain('2 weeks behind schedule');
  }
  for (const name of ['stipend', 'coach']) expect(words[name], name).toContain("Not on track for this week's pay");
  for (const name of ['pending', 'calendar']) expect(words[name], name).toContain('Overdue');
  expect(words.coach).toContain('1 activity overdue');
  expect(words.coach).toContain('1 assignment returned');
  expect(words.stipend).toContain('1 returned: revise and hand in again');
  expect(words.week).toContain('1 of 5 so far');
});

test('and no screen says another thing: neither a status of the share, nor that something failed', () => {
  for (const [name, screen] of Object.entries(screens)) {
    expect(wordsOf(screen), name).not.toMatch(
      /at risk|\bfailed|not met|on schedule|up to date|(?<!not )\bon track(?! for)/i,
    );
  }
});
