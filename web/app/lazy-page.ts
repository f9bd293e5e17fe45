import { lazyRouteComponent } from '@tanstack/react-router';
import type { FunctionComponent } from 'react';
import { networkError } from '../api/api-error.ts';

/** A page in its own file, which loads when the page opens. The compiler knows the file and its exports. */
export function lazyPage<Name extends string, Module extends Record<Name, FunctionComponent>>(
  load: () => Promise<Module>,
  name: Name,
) {
  return lazyRouteComponent<{ default: FunctionComponent }>(async () => ({ default: (await loadHere(load))[name] }));
}

/** Without a network the router would reload the whole app, and lose everything readable. */
function loadHere<Module>(load: () => Promise<Module>): Promise<Module> {
  return load().catch((error: unknown) => {
    throw navigator.onLine ? error : networkError();
  });
}
