import { type Answer, fault, type Inspected, warning } from './inspected.ts';

/** One process takes 20 connections for requests, 4 for jobs and one to listen. */
const connectionsOfProcess = 25;
const mostUsed = 0.8;
const mostSecondsOff = { warning: 2, error: 30 };

export function lookAtClock({ facts: { clockAheadSeconds } }: Inspected): Answer {
  return answerOnClock('the database', clockAheadSeconds);
}

/** Codes of a second factor hold for 30 seconds, and signatures for five minutes. */
export function answerOnClock(whose: string, aheadSeconds: number): Answer {
  const off = Math.abs(aheadSeconds);
  if (off <= mostSecondsOff.warning) return null;
  const problem = `The clock of ${whose} is ${Math.round(off)} seconds ${aheadSeconds > 0 ? 'ahead of' : 'behind'} the one here.`;
  const remedy = 'Let all machines set their clocks by NTP.';
  return off > mostSecondsOff.error ? fault(problem, remedy) : warning(problem, remedy);
}

export function lookAtDurability({ facts: { forgetfulSettings } }: Inspected): Answer {
  if (forgetfulSettings.length === 0) return null;
  return fault(
    `The database may lose what it has confirmed, or slow down for good: ${forgetfulSettings.join(', ')}.`,
    'Switch these on in postgresql.conf and reload.',
  );
}

export function lookAtConnections({ facts: { connections, mostConnections } }: Inspected): Answer {
  if (mostConnections < 2 * connectionsOfProcess) {
    return warning(
      `The database takes ${mostConnections} connections. One process needs ${connectionsOfProcess}, and two while one replaces the other.`,
      'Raise max_connections, or put PgBouncer in between.',
    );
  }
  if (connections <= mostConnections * mostUsed) return null;
  return fault(
    `${connections} of ${mostConnections} connections to the database are taken.`,
    'Raise max_connections, or put PgBouncer in between.',
  );
}

/** The embedded database belongs to the product alone, so its role may do everything there. */
export function lookAtRole({ config, facts: { excessRights } }: Inspected): Answer {
  if (config.databaseUrl === null || excessRights.length === 0) return null;
  return warning(
    `The role in DATABASE_URL can do more than it needs: it ${excessRights.join(', ')}.`,
    'Make a role that only owns this database: create role … login nosuperuser nocreatedb nocreaterole.',
  );
}

export function lookAtExtensions({ facts: { oldExtensions } }: Inspected): Answer {
  if (oldExtensions.length === 0) return null;
  return warning(
    `Extensions of the database are older than PostgreSQL has: ${oldExtensions.join(', ')}.`,
    'Run: alter extension NAME update.',
  );
}
