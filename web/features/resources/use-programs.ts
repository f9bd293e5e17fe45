import { useInfiniteQuery } from '@tanstack/react-query';
import { listProgrammes, type Programme } from '#contract/programmes.ts';
import { pagesFor } from '../../api/query-for.ts';
import { choicesNotLoaded } from '../../ui/NotLoaded.tsx';

export type Programs = ReturnType<typeof usePrograms>;

/** The programs that a resource can be for alone. */
export function usePrograms() {
  const list = useInfiniteQuery(pagesFor(listProgrammes, { query: {} }));
  const notLoaded = choicesNotLoaded('the programs', list);
  const known = list.data?.pages.flatMap(({ rows }) => rows) ?? [];
  return {
    find: (id: string | null | undefined): Programme | undefined => known.find((program) => program.id === id),
    /** False for a single program. True if they could not be loaded, so that this is said. */
    isChoice: known.length > 1 || notLoaded !== null,
    options: known.map(({ id, name, isArchived }) => ({ value: id, label: isArchived ? `${name} (archived)` : name })),
    notLoaded,
  };
}
