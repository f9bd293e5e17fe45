import { useQuery } from '@tanstack/react-query';
import { partInTime } from '../api/patience.ts';

/**
 * Loads a part of the app that no screen shows at first, beside everything that it does show. So the part is mostly
 * there when it is needed, also without a network. `Loaded` says so if it is not.
 */
export function usePart<Part>(name: string, load: () => Promise<Part>) {
  return useQuery({
    queryKey: ['part', name],
    queryFn: () => partInTime(load),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  });
}
