import type { InfiniteData } from '@tanstack/react-query';
import type { ResponseOf } from '#contract/endpoint.ts';
import { listResources, type Resource } from '#contract/resources.ts';
import { queryClient } from '../../api/query-for.ts';

type Pages = InfiniteData<ResponseOf<typeof listResources>>;

/** Shows the server's answer in the loaded lists at once. Null stands for a deleted resource. */
export function showInLists(id: string, resource: Resource | null): void {
  queryClient.setQueriesData<Pages>({ queryKey: [listResources.name] }, (data) => {
    if (!data?.pages.some(({ rows }) => rows.some((row) => row.id === id))) return data;
    const pages = data.pages.map((page) => ({
      ...page,
      matching: resource ? page.matching : page.matching - 1,
      rows: page.rows.flatMap((row) => (row.id === id ? (resource ?? []) : row)),
    }));
    return { ...data, pages };
  });
}
