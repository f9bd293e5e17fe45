import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Each takes ten seconds or more, most of them waiting, or busy on one processor only. */
const longest = [
  'accounts/enumeration.test.ts',
  'stipends/money.test.ts',
  'messages/message-processes.test.ts',
  'imports/import-processes.test.ts',
  'files/upload-processes.test.ts',
  'notices/send-mail.test.ts',
  'platform/embedded-database.test.ts',
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
