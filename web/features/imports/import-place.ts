import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { z } from 'zod';
import { ImportRowState } from '#contract/import-results.ts';
import { paths } from '../../app/paths.ts';

/** The parts of an upload page's address. A value without a meaning there counts as absent. */
const ImportPlace = z.object({
  state: ImportRowState.optional().catch(undefined),
  search: z.coerce.string().max(200).optional().catch(undefined),
  /** The cursors of all pages turned so far. The last one belongs to the page shown. */
  after: z.coerce
    .string()
    .regex(/^\d{1,7}(,\d{1,7})*$/)
    .optional()
    .catch(undefined),
});
export type ImportPlace = z.infer<typeof ImportPlace>;

export function useImportPlace() {
  const { importId = '' } = useParams({ strict: false });
  const place = ImportPlace.parse(useSearch({ strict: false }));
  const navigate = useNavigate();
  const change = (changes: Partial<ImportPlace>) =>
    void navigate({
      to: paths.import(importId),
      search: (before: object) => ({ ...before, after: undefined, ...changes }),
      resetScroll: false,
    });
  return { importId, place, change };
}

export function cursorsOf({ after }: ImportPlace): string[] {
  return after ? after.split(',') : [];
}
