import type { PlainRead } from './endpoint.ts';
import type { Role } from './roles.ts';

/** How a read is asked for, without the schema of what it answers. */
export type AskedRead = Pick<PlainRead, 'name' | 'method' | 'path' | 'shows'>;

export const sessionPath = '/api/session';

/** The addresses of a dashboard with all that it has. */
export const dashboardPlaces: readonly string[] = ['/', '/dashboard'];

/** How each role's dashboard is asked for. What it answers stands in home.ts, which the app loads while it waits. */
export const dashboardReads = {
  participant: {
    name: 'readParticipantDashboard',
    method: 'GET',
    path: '/api/dashboards/participant',
    shows: [
      'training',
      'attendance',
      'submissions',
      'progress',
      'stipends',
      'ratings',
      'sessions',
      'availability',
      'messages',
      'coaches',
      'people',
      'cohorts',
      'enrolments',
    ],
  },
  coach: {
    name: 'readCoachDashboard',
    method: 'GET',
    path: '/api/dashboards/coach',
    shows: [
      'training',
      'attendance',
      'submissions',
      'progress',
      'stipends',
      'ratings',
      'sessions',
      'availability',
      'messages',
      'coaches',
      'people',
      'enrolments',
    ],
  },
  admin: {
    name: 'readAdminDashboard',
    method: 'GET',
    path: '/api/dashboards/admin',
    shows: [
      'people',
      'cohorts',
      'enrolments',
      'coaches',
      'submissions',
      'stipends',
      'questions',
      'imports',
      'deliveries',
    ],
  },
} as const satisfies Record<Role, AskedRead>;
