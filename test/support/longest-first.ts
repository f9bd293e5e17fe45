import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Each takes ten seconds or more, mostly waiting, or busy on only one processor. */
export const longest = [
  'web/app/failed-reads.test.tsx',
  'server/features/backups/restoring.test.ts',
  'server/features/backups/drill.test.ts',
  'server/platform/embedded-database.test.ts',
  'server/platform/embedded-database-upgrade.test.ts',
  'scripts/backup.test.ts',
  'test/histories.test.ts',
  'test/planted-faults.test.ts',
  'server/features/payments/money.test.ts',
  'server/features/payments/stipend-can.test.ts',
  'scripts/demo-close.test.ts',
  'server/features/messages/message-processes.test.ts',
  'server/features/files/upload-processes.test.ts',
  'server/features/imports/import-processes.test.ts',
  'server/features/accounts/ways-in/enumeration.test.ts',
  'server/features/deliveries/send-mail.test.ts',
  'server/features/accounts/registration/registration.test.ts',
];

/**
 * In a fresh clone, Vitest starts with the largest files. These would run last, with nothing left to run beside them.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => placeOf(one) - placeOf(other));
  }
}

function placeOf({ moduleId }: TestSpecification): number {
  const place = longest.findIndex((file) => moduleId.endsWith(`/${file}`));
  return place === -1 ? longest.length : place;
}
