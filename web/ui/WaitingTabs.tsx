import { Tabs } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';

const labels = { open: 'Waiting', answered: 'Answered' } as const;
export type AnswerState = keyof typeof labels;

/** One tab for rows that wait for an answer, one for answered rows. The address holds the choice. */
export function WaitingTabs({ children }: { children: (state: AnswerState) => ReactNode }) {
  const { state } = useSearch({ strict: false }) as { state?: string };
  const shown: AnswerState = state === 'answered' ? 'answered' : 'open';
  const navigate = useNavigate();
  const show = (next: string | null) => void navigate({ to: '.', search: next === 'answered' ? { state: next } : {} });
  return (
    <Tabs value={shown} onChange={show}>
      <Tabs.List mb="md">
        {Object.entries(labels).map(([value, label]) => (
          <Tabs.Tab key={value} value={value}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value={shown}>{children(shown)}</Tabs.Panel>
    </Tabs>
  );
}
