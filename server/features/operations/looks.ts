import type { Finding, FindingCode } from '#contract/operations.ts';
import { hasOpenDemoAccounts } from '#server/features/accounts/registration/open-demo-queries.ts';
import {
  isSecretDangerous,
  lookAtDemo,
  lookAtGeneratedSecret,
  lookAtHttps,
  lookAtMailSetting,
  lookAtOpenWays,
  lookAtProxy,
  lookAtSharedSecrets,
  lookAtWeakSecrets,
} from './configuration-looks.ts';
import { lookAtClock, lookAtConnections, lookAtDurability, lookAtExtensions, lookAtRole } from './database-looks.ts';
import { lookAtFilesWithoutOwner, lookAtMissingFiles } from './file-looks.ts';
import { type Answer, fault, type Inspected } from './inspected.ts';
import { lookAtMailServer, lookAtPaymentSystem, lookAtPushServices, lookAtSms, lookAtStorage } from './reach-looks.ts';
import { lookAtReplica } from './replica-looks.ts';
import { lookAtFormerSecrets, lookAtUnopenable } from './secret-looks.ts';
import {
  lookAtAdmins,
  lookAtBackups,
  lookAtDeliveries,
  lookAtDisk,
  lookAtFileModes,
  lookAtHandovers,
  lookAtJobs,
  lookAtLedger,
  lookAtSecondFactors,
  lookAtVerification,
} from './work-looks.ts';

export interface Look {
  take(inspected: Inspected): Answer | Promise<Answer>;
  /** It asks other machines, hashes or reads everything. The status page shows what the last run found. */
  isCostly?: true;
  /** With this finding, Switchyard does not start. */
  isDangerous?(inspected: Inspected): boolean;
}

/** Without an answer of the database nothing can be looked at, so the doctor says these two itself. */
type SaidByDoctor = 'database-away' | 'database-schema';

/** The type makes the list complete: each finding has its one look. */
export const looks: Record<Exclude<FindingCode, SaidByDoctor>, Look> = {
  'demo-accounts-open': { take: lookAtDemoAccounts, isCostly: true, isDangerous: () => true },
  'demo-offered': { take: lookAtDemo },
  'admin-missing': { take: lookAtAdmins },
  'admin-without-second-factor': { take: lookAtSecondFactors },
  'secret-weak': { take: lookAtWeakSecrets, isDangerous: isSecretDangerous },
  'secret-shared': { take: lookAtSharedSecrets },
  'secret-on-one-machine': { take: lookAtGeneratedSecret },
  'secret-other': { take: lookAtUnopenable, isCostly: true },
  'secret-old-accepted': { take: lookAtFormerSecrets },
  'address-without-https': { take: lookAtHttps },
  'proxy-not-trusted': { take: lookAtProxy },
  'mail-not-set-up': { take: lookAtMailSetting },
  'neighbor-without-tls': { take: lookAtOpenWays },
  'mail-away': { take: lookAtMailServer, isCostly: true },
  'payment-system-away': { take: lookAtPaymentSystem, isCostly: true },
  'storage-away': { take: lookAtStorage, isCostly: true },
  'sms-away': { take: lookAtSms, isCostly: true },
  'push-away': { take: lookAtPushServices, isCostly: true },
  'clock-off': { take: lookAtClock },
  'database-forgets': { take: lookAtDurability },
  'database-crowded': { take: lookAtConnections },
  'database-role': { take: lookAtRole },
  'database-extensions': { take: lookAtExtensions },
  'replica-unused': { take: lookAtReplica },
  'disk-full': { take: lookAtDisk },
  'files-readable': { take: lookAtFileModes },
  'jobs-stand': { take: lookAtJobs },
  'messages-undelivered': { take: lookAtDeliveries },
  'stipends-not-handed-over': { take: lookAtHandovers },
  'ledger-wrong': { take: lookAtLedger },
  'ledger-unverified': { take: lookAtVerification },
  'backup-old': { take: lookAtBackups },
  'files-missing': { take: lookAtMissingFiles, isCostly: true },
  'files-without-owner': { take: lookAtFilesWithoutOwner, isCostly: true },
};

export type LookedAt = keyof typeof looks;

/** Takes the looks that are chosen, one after the other. Errors come first. */
export async function takeLooks(
  inspected: Inspected,
  isChosen: (look: Look, code: LookedAt) => boolean = () => true,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const code of Object.keys(looks) as LookedAt[]) {
    if (!isChosen(looks[code], code)) continue;
    const answer = await looks[code].take(inspected);
    if (answer) findings.push({ code, ...answer });
  }
  return errorsFirst(findings);
}

export function errorsFirst(findings: Finding[]): Finding[] {
  return findings.toSorted((left, right) => Number(right.severity === 'error') - Number(left.severity === 'error'));
}

async function lookAtDemoAccounts({ db, config }: Inspected): Promise<Answer> {
  if (config.isDemo || !(await hasOpenDemoAccounts(db))) return null;
  return fault(
    'This is no demo, and accounts of the demo still have the published password.',
    'Close them with npm run demo:close, or set DEMO=1 to offer the demo to everybody who reaches it.',
  );
}
