import { Radio, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { z } from 'zod';
import type { CoachChoice } from '#contract/coach-assignment.ts';
import type { ResponseOf } from '#contract/endpoint.ts';
import {
  bookedSessionsChoices,
  type BookedSessionsChoice as Choice,
  previewCoachReplacement,
} from '#contract/enrolments.ts';
import { queryFor } from '../../api/query-for.ts';
import { Loaded } from '../../ui/Loaded.tsx';
import { bookedSessionsWords } from './user-words.ts';

/** Asks whom the coach of an enrollment would replace, once cohort and coach are chosen. */
export function useCoachReplacement(userId: string, cohortId: string | null, coach: CoachChoice | null) {
  return useQuery({
    ...queryFor(previewCoachReplacement, { query: { userId, cohortId: cohortId ?? '', coachId: coach?.id ?? '' } }),
    enabled: cohortId !== null && coach !== null,
  });
}

interface BookedSessionsChoiceProps {
  id: string;
  replacement: ReturnType<typeof useCoachReplacement>;
  coach: CoachChoice;
  value: Choice | null;
  onChange: (choice: Choice) => void;
  error: string | null;
}

/** Nothing is chosen at first. Moving may cancel sessions, and keeping leaves a participant with two coaches. */
export function BookedSessionsChoice({ replacement, ...props }: BookedSessionsChoiceProps) {
  return (
    <Loaded
      read={replacement}
      failure="Booked sessions could not be counted"
      loading={{ label: 'Counting the booked sessions', rows: 1 }}
    >
      {(counted) => (counted.booked === 0 ? null : <Choices counted={counted} {...props} />)}
    </Loaded>
  );
}

function Choices({
  counted,
  id,
  coach,
  value,
  onChange,
  error,
}: Omit<BookedSessionsChoiceProps, 'replacement'> & { counted: ResponseOf<typeof previewCoachReplacement> }) {
  const words = bookedSessionsWords(counted, coach);
  const offered = bookedSessionsChoices.flatMap((choice) => {
    const option = words[choice];
    return option ? [{ choice, ...option }] : [];
  });
  return (
    <Radio.Group
      label={words.label}
      withAsterisk
      value={value}
      onChange={(choice) => onChange(z.enum(bookedSessionsChoices).parse(choice))}
      error={error}
    >
      <Stack gap="xs" my="xs">
        {offered.map(({ choice, label, means }, index) => (
          <Radio key={choice} id={index === 0 ? id : undefined} value={choice} label={label} description={means} />
        ))}
      </Stack>
    </Radio.Group>
  );
}
