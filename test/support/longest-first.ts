import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Each takes ten seconds or more, most of them waiting, or busy on one processor only. */
const longest = [
  'web/app/failed-reads.test.tsx',
  'platform/embedded-database.test.ts',
  'stipends/money.test.ts',
  'stipends/stipend-can.test.ts',
  'scripts/demo-close.test.ts',
  'messages/message-processes.test.ts',
  'files/upload-processes.test.ts',
  'imports/import-processes.test.ts',
  'accounts/enumeration.test.ts',
  'notices/send-mail.test.ts',
  'accounts/registration.test.ts',
];

/**
 * In a fresh clone Vitest begins with the largest files, which would leave these to the end, where nothing else is left
 * to do beside them.
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
