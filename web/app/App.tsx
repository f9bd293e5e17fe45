import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { queryClient } from '../api/query-for.ts';
import { cssVariables, theme } from '../ui/theme.ts';
import { usePart } from '../ui/use-part.ts';
import { router } from './routes.tsx';
import '../ui/control-edges.css';
import '../ui/touch-targets.css';

export function App() {
  return (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
      <QueryClientProvider client={queryClient}>
        <LoadedToasts />
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  );
}

/** A toast that is shown before this part is loaded waits for it. */
function LoadedToasts() {
  const { data } = usePart('toasts', () => import('./Toasts.tsx'), { isNeeded: false });
  return data ? <data.Toasts /> : null;
}
