import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, fireEvent, type RenderResult, render, screen } from '@testing-library/react';
import type { ComponentType, ReactNode } from 'react';
import { queryClient } from '../../web/api/query-for.ts';

/** A part of a screen as the browser of the test draws it, until the test ends. */
export function draw(part: ReactNode, wrapper: ComponentType<Parts> = Themed): RenderResult {
  return render(part, { wrapper });
}

/** The same for a part that asks the server. It has asked when this returns. */
export function drawAsking(part: ReactNode): Promise<RenderResult> {
  return act(async () => draw(part, Asking));
}

interface Parts {
  children: ReactNode;
}

function Themed({ children }: Parts) {
  return <MantineProvider env="test">{children}</MantineProvider>;
}

function Asking({ children }: Parts) {
  return (
    <Themed>
      <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
    </Themed>
  );
}

/** Presses the button that reads so, and lets what it begins begin. */
export const press = (name: string | RegExp) => act(async () => fireEvent.click(screen.getByRole('button', { name })));

/** What each alert says, in the order of the screen. */
export const alerts = (): (string | null)[] => screen.queryAllByRole('alert').map(({ textContent }) => textContent);
