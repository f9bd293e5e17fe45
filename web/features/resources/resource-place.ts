import { useNavigate, useSearch } from '@tanstack/react-router';
import { z } from 'zod';
import { Id } from '#contract/endpoint.ts';
import { ResourceOrder, ResourceType } from '#contract/resources.ts';
import { TrackType } from '#contract/roles.ts';
import type { paths } from '../../app/paths.ts';

/** The parts of both lists' addresses. A value without a meaning there counts as absent. */
const ResourcePlace = z.object({
  search: z.coerce.string().max(200).optional().catch(undefined),
  type: ResourceType.optional().catch(undefined),
  program: TrackType.optional().catch(undefined),
  /** The only program that the resources are for. */
  programme: Id.optional().catch(undefined),
  module: z.coerce.string().max(500).optional().catch(undefined),
  order: ResourceOrder.optional().catch(undefined),
  /** Only the library has it (RES-36). */
  view: z.enum(['grid', 'list']).optional().catch(undefined),
});
export type ResourcePlace = z.infer<typeof ResourcePlace>;

const noFilters = { search: undefined, type: undefined, program: undefined, programme: undefined, module: undefined };

export type ChangePlace = (changes: Partial<ResourcePlace>) => void;

export function useResourcePlace(path: typeof paths.resources | typeof paths.resourcesManagement) {
  const place = ResourcePlace.parse(useSearch({ strict: false }));
  const navigate = useNavigate();
  const change: ChangePlace = (changes) =>
    void navigate({
      to: path,
      search: (before: object) => ({ ...before, ...changes }),
      replace: true,
      resetScroll: false,
    });
  const isFiltered = Boolean(place.search || place.type || place.program || place.programme || place.module);
  return { place, change, isFiltered, clear: () => change(noFilters) };
}
