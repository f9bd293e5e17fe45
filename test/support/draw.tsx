import { MantineProvider } from '@mantine/core';
import { type RenderResult, render } from '@testing-library/react';
import type { ReactNode } from 'react';

/** A part of a screen as the browser of the test draws it, until the test ends. */
export function draw(part: ReactNode): RenderResult {
  return render(part, { wrapper: ({ children }) => <MantineProvider env="test">{children}</MantineProvider> });
}
