import { lazyRouteComponent } from '@tanstack/react-router';
import type { FunctionComponent } from 'react';
import { networkError } from '../api/api-error.ts';

/** A page in a file of its own, loaded when it is opened. The compiler knows the file and what it exports. */
export function lazyPage<Name extends string, Module extends Record<Name, FunctionComponent>>(
  load: () => Promise<Module>,
  name: Name,
) {
  return lazyRouteComponent<{ default: FunctionComponent }>(async () => ({ default: (await loadHere(load))[name] }));
}

/** Without a network the router would reload the whole app, and lose what is readable. */
function loadHere<Module>(load: () => Promise<Module>): Promise<Module> {
  return load().catch((error: unknown) => {
    throw navigator.onLine ? error : networkError();
  });
}
