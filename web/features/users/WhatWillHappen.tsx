import { Alert, List, Stack, Text } from '@mantine/core';
import { Info } from 'lucide-react';
import type { PeoplePreview } from '#contract/people-sets.ts';
import { counted } from '../../ui/counted.ts';
import { byReason } from '../../ui/refused.ts';

interface WhatWillHappenProps {
  preview: PeoplePreview;
  /** The number of chosen people. */
  count: number;
  /** For example 'can be enrolled in Spring'. */
  can: string;
  /** What it means for them. */
  means?: string | undefined;
}

/** Says in numbers what an act upon several people will do, and names those for whom it cannot. */
export function WhatWillHappen({ preview: { ready, refused }, count, can, means }: WhatWillHappenProps) {
  return (
    <Alert color="indigo" icon={<Info size={18} aria-hidden />} radius="lg" role="status">
      <Stack gap="xs">
        <Text size="sm" fw={600}>
          {inNumbers(count, ready.length, refused.length, can)}
        </Text>
        {refused.length > 0 ? (
          <List size="sm" spacing={4}>
            {byReason(refused).map(({ reason, count: those, names }) => (
              <List.Item key={reason}>
                <b>
                  {those.toLocaleString('en-US')}: {reason}
                </b>{' '}
                ({names})
              </List.Item>
            ))}
          </List>
        ) : null}
        {means && ready.length > 0 ? <Text size="sm">{means}</Text> : null}
      </Stack>
    </Alert>
  );
}

/** For example '12 people: 10 can be enrolled in Spring, 2 cannot.' */
export function inNumbers(count: number, ready: number, refused: number, can: string): string {
  const all = counted(count, 'person', 'people');
  if (ready === 0) return `${all}: none ${can}.`;
  if (refused === 0) return `${all}: ${count === 1 ? 'the person' : 'all'} ${can}.`;
  return `${all}: ${ready.toLocaleString('en-US')} ${can}, ${refused.toLocaleString('en-US')} cannot.`;
}
