/** What the admin's dashboard loads when somebody scrolls to it. */
export { AdminCohortWeeks } from './AdminCohortWeeks.tsx';
export { AdminStandings } from './AdminStandings.tsx';
export { AdminWaiting } from './AdminWaiting.tsx';
