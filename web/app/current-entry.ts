import { useRouterState } from '@tanstack/react-router';
import { useSignedInUser } from '../api/session.ts';
import { screensOf } from './more-screens.ts';
import { paths, type ScreenPath } from './paths.ts';

/** The entries that stand for a screen without one. Of several, the first one that a role has. */
const entriesFor: Partial<Record<string, ScreenPath[]>> = {
  '/': [paths.dashboard],
  '/admin': [paths.dashboard],
  '/coach': [paths.dashboard],
  '/fellowship-dashboard': [paths.dashboard],
  '/activity/$activityId': [paths.trainingCalendar],
  '/assignment/$assignmentId': [paths.trainingCalendar],
  '/people/$personId': [paths.userManagement, paths.cohortProgress],
  '/stipends/$participantId': [paths.stipendManagement, paths.cohortProgress],
} satisfies Partial<Record<ScreenPath, ScreenPath[]>>;

/** Spread over the link of an entry, it marks the one that stands for a screen without an entry. */
export function useCurrentEntry(): (to: ScreenPath) => object {
  const { role } = useSignedInUser();
  const screen = useRouterState({ select: ({ matches }) => matches.at(-1)?.fullPath ?? '' });
  const current = entriesFor[screen]?.find((entry) => screensOf(role).some(({ to }) => to === entry));
  return (to) => (to === current ? { 'data-active': true, 'aria-current': 'page' } : {});
}
