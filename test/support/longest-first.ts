import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Each takes ten seconds or more, mostly waiting, or busy on only one processor. */
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
