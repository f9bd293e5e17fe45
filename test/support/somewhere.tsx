import { createMemoryHistory, createRootRoute, createRouter, RouterContextProvider } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';

/** Gives a part of a screen the router that it needs when a test draws it without the screen. */
export function Somewhere({ children }: { children: ReactNode }) {
  const [router] = useState(() => createRouter({ routeTree: createRootRoute(), history: createMemoryHistory() }));
  return <RouterContextProvider router={router}>{children}</RouterContextProvider>;
}
