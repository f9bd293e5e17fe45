import { MantineProvider } from '@mantine/core';
import { type RenderResult, render, screen } from '@testing-library/react';
import type { ReactNode } from 'react';

/** A part of a screen as the browser of the test draws it, until the test ends. */
export function draw(part: ReactNode): RenderResult {
  return render(part, { wrapper: ({ children }) => <MantineProvider env="test">{children}</MantineProvider> });
}

/** What each alert says, in the order of the screen. */
export const alerts = (): (string | null)[] => screen.queryAllByRole('alert').map(({ textContent }) => textContent);
