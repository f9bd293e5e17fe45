import { Accordion, Group, Stack, Text } from '@mantine/core';
import type { z } from 'zod';
import type { SubmissionRound } from '#contract/submissions.ts';
import { DateTime } from '../../ui/DateTime.tsx';
import { SubmissionStatusBadge } from '../../ui/SubmissionStatusBadge.tsx';
import { CorrectionNote } from './CorrectionNote.tsx';
import { ReviewFeedback } from './ReviewFeedback.tsx';
import { SubmittedFile } from './SubmittedFile.tsx';
import { statusNames } from './status-names.ts';

type Round = z.output<typeof SubmissionRound>;

interface SubmissionRoundsProps {
  rounds: Round[];
  maxPoints: number;
  /** True if the newest round is unfolded at first. */
  isNewestOpen?: boolean;
}

/** Earlier rounds as they were handed in and reviewed, newest first. */
export function SubmissionRounds({ rounds, maxPoints, isNewestOpen = false }: SubmissionRoundsProps) {
  const unfolded = isNewestOpen ? rounds.slice(0, 1).map(({ roundNumber }) => roundNumber.toString()) : [];
  return (
    <Accordion variant="contained" radius="lg" multiple order={3} defaultValue={unfolded}>
      {rounds.map((round) => (
        <Accordion.Item key={round.roundNumber} value={round.roundNumber.toString()}>
          <Accordion.Control>
            <Group gap="sm">
              <Text fw={550}>Round {round.roundNumber}</Text>
              <RoundStatus round={round} />
              <Text size="sm" c="dimmed">
                <DateTime value={round.submittedAt} />
              </Text>
            </Group>
          </Accordion.Control>
          <Accordion.Panel>
            <RoundWork round={round} maxPoints={maxPoints} />
          </Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  );
}

function RoundStatus({ round }: { round: Round }) {
  const status = round.reviewStatus ?? 'submitted';
  return <SubmissionStatusBadge status={status}>{statusNames[status]}</SubmissionStatusBadge>;
}

function RoundWork({ round, maxPoints }: { round: Round; maxPoints: number }) {
  return (
    <Stack gap="md">
      {round.text ? <Text style={{ whiteSpace: 'pre-wrap' }}>{round.text}</Text> : null}
      {round.file ? <SubmittedFile file={round.file} /> : null}
      {round.feedback ? <ReviewFeedback {...round} feedback={round.feedback} maxPoints={maxPoints} /> : null}
      <CorrectionNote correction={round.correction} />
    </Stack>
  );
}
