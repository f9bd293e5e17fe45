import { Radio, Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { z } from 'zod';
import type { CoachChoice } from '#contract/coach-assignment.ts';
import {
  bookedSessionsChoices,
  type BookedSessionsChoice as Choice,
  previewCoachReplacement,
} from '#contract/enrolments.ts';
import { messageOf } from '../../api/api-error.ts';
import { queryFor } from '../../api/query-for.ts';
import { ErrorState } from '../../ui/states.tsx';
import { bookedSessionsWords } from './user-words.ts';

/** Whom the coach of an enrolment would replace, asked once cohort and coach are chosen. */
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

/** Nothing is chosen at first: moving may cancel, and keeping leaves a participant with two coaches. */
export function BookedSessionsChoice({ id, replacement, coach, value, onChange, error }: BookedSessionsChoiceProps) {
  if (replacement.isError) {
    return (
      <ErrorState
        title="Booked sessions could not be counted"
        message={messageOf(replacement.error)}
        onRetry={() => void replacement.refetch()}
        isRetrying={replacement.isFetching}
      />
    );
  }
  if (!replacement.data) return <Skeleton height={24} aria-busy />;
  if (replacement.data.booked === 0) return null;
  const words = bookedSessionsWords(replacement.data, coach);
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
