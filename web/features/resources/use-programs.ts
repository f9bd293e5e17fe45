import { useInfiniteQuery } from '@tanstack/react-query';
import { listProgrammes, type Programme } from '#contract/programmes.ts';
import { pagesFor } from '../../api/query-for.ts';
import { choicesNotLoaded } from '../../ui/NotLoaded.tsx';

export type Programs = ReturnType<typeof usePrograms>;

/** The programs that a resource can be for alone. */
export function usePrograms() {
  const list = useInfiniteQuery(pagesFor(listProgrammes, { query: {} }));
  const known = list.data?.pages.flatMap(({ rows }) => rows) ?? [];
  return {
    find: (id: string | null | undefined): Programme | undefined => known.find((program) => program.id === id),
    /** False while there is nothing to choose between. */
    areSeveral: known.length > 1,
    options: known.map(({ id, name, isArchived }) => ({ value: id, label: isArchived ? `${name} (archived)` : name })),
    notLoaded: choicesNotLoaded('the programs', list),
  };
}
