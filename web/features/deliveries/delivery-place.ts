import { useNavigate, useSearch } from '@tanstack/react-router';
import { z } from 'zod';
import { deliveryChannels } from '#contract/deliveries.ts';
import { paths } from '../../app/paths.ts';

/** The parts of the list's address. A value without a meaning there counts as absent. */
const DeliveryPlace = z.object({
  search: z.coerce.string().max(200).optional().catch(undefined),
  channel: z.enum(deliveryChannels).optional().catch(undefined),
  kind: z.coerce.string().max(100).optional().catch(undefined),
});
export type DeliveryPlace = z.infer<typeof DeliveryPlace>;

export function useDeliveryPlace() {
  const place = DeliveryPlace.parse(useSearch({ strict: false }));
  const navigate = useNavigate();
  const change = (changes: DeliveryPlace) =>
    void navigate({
      to: paths.deliveries,
      search: (before: object) => ({ ...before, ...changes }),
      replace: true,
      resetScroll: false,
    });
  const isFiltered = Boolean(place.search || place.channel || place.kind);
  return {
    place,
    change,
    isFiltered,
    clear: () => change({ search: undefined, channel: undefined, kind: undefined }),
  };
}
