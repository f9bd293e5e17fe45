import { useNavigate, useSearch } from '@tanstack/react-router';
import { z } from 'zod';
import { AuditPart } from '#contract/audit.ts';
import { paths } from '../../app/paths.ts';

/** The parts of the audit log's address. A value without a meaning there counts as absent. */
const AuditPlace = z.object({
  search: z.coerce.string().max(200).optional().catch(undefined),
  person: z.uuid().optional().catch(undefined),
  part: AuditPart.optional().catch(undefined),
  action: z.string().max(100).optional().catch(undefined),
  kind: z.string().max(100).optional().catch(undefined),
  subject: z.uuid().optional().catch(undefined),
  from: z.iso.date().optional().catch(undefined),
  to: z.iso.date().optional().catch(undefined),
  /** The start of the page that is shown. */
  cursor: z.string().max(4000).optional().catch(undefined),
});
export type AuditPlace = z.infer<typeof AuditPlace>;
export type ChangePlace = (changes: Partial<AuditPlace>, options?: { replace?: boolean }) => void;

const noFilters = {
  search: undefined,
  person: undefined,
  part: undefined,
  action: undefined,
  kind: undefined,
  subject: undefined,
  from: undefined,
  to: undefined,
  cursor: undefined,
} satisfies AuditPlace;

export function useAuditPlace() {
  const place = AuditPlace.parse(useSearch({ strict: false }));
  const navigate = useNavigate();
  const go = (changes: Partial<AuditPlace>, { replace = false } = {}) =>
    void navigate({
      to: paths.auditLog,
      search: (before: object) => ({ ...before, ...changes }),
      replace,
      resetScroll: false,
    });
  /** A change of filters begins at the first page. */
  const change: ChangePlace = (changes, options) => go({ ...changes, cursor: undefined }, options);
  const { cursor, ...filters } = place;
  return {
    place,
    filters,
    change,
    turnTo: (page: string | undefined) => go({ cursor: page }),
    isFiltered: Object.values(filters).some((value) => value !== undefined && value !== ''),
    clear: () => go(noFilters),
  };
}
