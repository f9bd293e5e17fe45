import { findOrphans, type Orphans } from '#server/features/files/orphan-queries.ts';
import { type Answer, fault, type Inspected, warning } from './inspected.ts';

/** Both looks of one run share one comparison. */
const compared = new WeakMap<Inspected, Promise<Orphans>>();

export async function lookAtMissingFiles(inspected: Inspected): Promise<Answer> {
  const { count, names } = (await orphansOf(inspected)).missing;
  if (count === 0) return null;
  return fault(
    `${filesIn(count)} that people uploaded ${count === 1 ? 'is' : 'are'} gone from the storage${such(names)}.`,
    'Restore them from a backup.',
  );
}

export async function lookAtFilesWithoutOwner(inspected: Inspected): Promise<Answer> {
  const { count, names } = (await orphansOf(inspected)).unowned;
  if (count === 0) return null;
  return warning(
    `The storage holds ${filesIn(count)} that nothing refers to${such(names)}.`,
    'Compare them with a backup, then remove them by hand.',
  );
}

function orphansOf(inspected: Inspected): Promise<Orphans> {
  const known = compared.get(inspected) ?? findOrphans(inspected.db, inspected.storage);
  compared.set(inspected, known);
  return known;
}

function filesIn(count: number): string {
  return count === 1 ? '1 file' : `${count.toLocaleString('en-US')} files`;
}

function such(names: string[]): string {
  return names.length === 0 ? '' : `, such as ${names.join(', ')}`;
}
