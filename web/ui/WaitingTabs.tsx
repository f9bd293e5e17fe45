import { Stack, Tabs } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { WaitingAge } from '#contract/waiting-age.ts';
import { AgeFilter } from './AgeFilter.tsx';

const labels = { open: 'Waiting', answered: 'Answered' } as const;
export type AnswerState = keyof typeof labels;

/** One tab for rows that wait for an answer, one for answered rows. The address holds the choice. */
export function WaitingTabs({
  children,
}: {
  children: (state: AnswerState, age: WaitingAge | undefined) => ReactNode;
}) {
  const given = useSearch({ strict: false }) as { state?: string; age?: string };
  const { state } = given;
  const shown: AnswerState = state === 'answered' ? 'answered' : 'open';
  const age = shown === 'open' ? WaitingAge.safeParse(given.age).data : undefined;
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
      <Tabs.Panel value={shown}>
        <Stack gap="md">
          <AgeFilter age={age} onClear={() => show('open')} />
          {children(shown, age)}
        </Stack>
      </Tabs.Panel>
    </Tabs>
  );
}
