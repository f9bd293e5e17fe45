import path from 'node:path';
import { houseZone } from '#contract/house-zone.ts';
import { momentIn } from '#contract/moments.ts';
import { isTooOld } from '#server/features/backups/backup-queries.ts';
import { now } from '#server/platform/clock.ts';
import { type Answer, fault, type Inspected, settingsFile, warning } from './inspected.ts';

const gibibyte = 1024 ** 3;
const leastFree = { warning: 5 * gibibyte, error: gibibyte };
const longestWaitInSeconds = { warning: 600, error: 3600 };
const dayInMs = 24 * 3600 * 1000;
const daysBetweenVerifications = 3;

export function lookAtAdmins({ facts: { admins } }: Inspected): Answer {
  if (admins > 0) return null;
  return warning('Nobody is an admin yet.', 'Run npm run admin:create, or open the link that the start prints.');
}

export function lookAtSecondFactors({ config, facts: { adminsWithoutSecondFactor: count } }: Inspected): Answer {
  if (count === 0 || config.isDemo) return null;
  const who = count === 1 ? '1 admin has' : `${count} admins have`;
  return warning(
    `${who} neither a second factor nor a passkey, so a stolen password is enough.`,
    'Let them set one up under Sign-in and Security.',
  );
}

export function lookAtDisk({ machine: { freeBytes } }: Inspected): Answer {
  if (freeBytes >= leastFree.warning) return null;
  const problem = `The disk of DATA_DIR has ${(freeBytes / gibibyte).toFixed(1)} GB left.`;
  const remedy = 'Make room, or move DATA_DIR to a larger disk. A full disk refuses every write.';
  return freeBytes < leastFree.error ? fault(problem, remedy) : warning(problem, remedy);
}

export function lookAtFileModes({ machine: { readableFiles } }: Inspected): Answer {
  if (readableFiles.length === 0) return null;
  const problem = `Other accounts of this machine can read ${readableFiles.join(' and ')}.`;
  const remedy = `Run: chmod go= ${readableFiles.join(' ')}`;
  // Not every settings file holds a secret.
  return readableFiles.every((file) => path.basename(file) === settingsFile)
    ? warning(problem, remedy)
    : fault(problem, remedy);
}

export function lookAtJobs({ facts: { longestWait } }: Inspected): Answer {
  if (!longestWait || longestWait.seconds < longestWaitInSeconds.warning) return null;
  const minutes = Math.floor(longestWait.seconds / 60);
  const problem = `A job of ${longestWait.queue} has been waiting for ${minutes} minutes.`;
  const remedy =
    'See that a process runs jobs: npm start without --web-only, or npm run worker. Its log names what fails.';
  return longestWait.seconds < longestWaitInSeconds.error ? warning(problem, remedy) : fault(problem, remedy);
}

export function lookAtDeliveries({ facts: { givenUpDeliveries: count } }: Inspected): Answer {
  if (count === 0) return null;
  const what = count === 1 ? '1 message was' : `${count.toLocaleString('en-US')} messages were`;
  return warning(`${what} given up.`, 'Read the reasons under Undelivered Messages, and try them again.');
}

export function lookAtHandovers({ facts: { givenUpHandovers: count } }: Inspected): Answer {
  if (count === 0) return null;
  const what = count === 1 ? '1 batch of stipends was' : `${count} batches of stipends were`;
  return fault(`${what} given up, so people are not paid.`, 'Send the week again under Stipend Management.');
}

export function lookAtBackups({ config, backup }: Inspected): Answer {
  if (config.isDemo) return null;
  const { to, everyHours } = config.backup;
  const lastDoneAt = backup?.lastDoneAt ?? null;
  if (lastDoneAt === null) {
    const remedy = to ? 'Run npm run backup, and read why the first one is missing.' : 'Set BACKUP_TO.';
    return warning('There is no whole backup yet.', remedy);
  }
  if (!to || !isTooOld(lastDoneAt, now(), { everyHours })) return null;
  return fault(
    `The last whole backup is of ${momentIn(lastDoneAt, houseZone)}.`,
    'Run npm run backup, and read in the log why none was made since.',
  );
}

export function lookAtLedger({ facts: { ledger } }: Inspected): Answer {
  if (!ledger || ledger.problems === 0) return null;
  return fault(
    `The ledger has ${ledger.problems} problems. The first one: ${ledger.firstProblem}`,
    'Keep a copy of the database as it is, then run npm run ledger:verify.',
  );
}

/** A job verifies it every night. */
export function lookAtVerification({ facts: { ledger, ledgerBegan } }: Inspected): Answer {
  const since = ledger?.verifiedAt ?? ledgerBegan;
  if (since === null) return null;
  const days = (now().getTime() - Date.parse(since)) / dayInMs;
  if (days <= daysBetweenVerifications) return null;
  const age = `${Math.floor(days)} days`;
  return warning(
    ledger
      ? `Nobody has verified the ledger for ${age}.`
      : `The ledger was never verified. The oldest entry is ${age} old.`,
    'See that a process runs jobs, or run npm run ledger:verify.',
  );
}
