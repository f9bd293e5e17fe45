import { lazyRouteComponent } from '@tanstack/react-router';
import type { FunctionComponent } from 'react';
import { partInTime } from '../api/patience.ts';

/**
 * A page in its own file, which loads when the page opens. The compiler knows the file and its exports. Without a network,
 * the router would reload the whole app, and lose everything readable.
 */
export function lazyPage<Name extends string, Module extends Record<Name, FunctionComponent>>(
  load: () => Promise<Module>,
  name: Name,
) {
  return lazyRouteComponent<{ default: FunctionComponent }>(async () => ({ default: (await partInTime(load))[name] }));
}
