import { Button, Card, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ClipboardCheck, Folder } from 'lucide-react';
import type { ResponseOf } from '#contract/endpoint.ts';
import { readFellowship } from '#contract/fellowship.ts';
import { messageOf } from '../../api/api-error.ts';
import { queryFor } from '../../api/query-for.ts';
import { paths } from '../../app/paths.ts';
import { Meter } from '../../ui/Meter.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { StatusBadge, type Tone } from '../../ui/StatusBadge.tsx';
import { EmptyState, ErrorState, LoadingState } from '../../ui/states.tsx';
import { CohortCard } from './CohortCard.tsx';
import { CoreModules } from './CoreModules.tsx';
import { TrackPanel } from './TrackPanel.tsx';

type Fellowship = ResponseOf<typeof readFellowship>;

export function FellowshipPage() {
  const fellowship = useQuery(queryFor(readFellowship));
  return (
    <>
      <PageHeader title="Fellowship Program" lead="Your cohort, how far you are, and the track you specialize in." />
      <Stack gap="lg">
        {fellowship.isPending ? <LoadingState label="Loading the fellowship" cards={2} /> : null}
        {fellowship.isError ? (
          <ErrorState
            title={`Failed to load fellowship data: ${messageOf(fellowship.error)}`}
            onRetry={() => void fellowship.refetch()}
            isRetrying={fellowship.isFetching}
          />
        ) : null}
        {fellowship.data ? <Panels fellowship={fellowship.data} /> : null}
      </Stack>
    </>
  );
}

function Panels({ fellowship }: { fellowship: Fellowship }) {
  const { cohort } = fellowship;
  if (!cohort) {
    return (
      <Card>
        <EmptyState
          title="No Active Fellowship"
          action={
            <Button component={Link} to={paths.trainingCalendar} variant="default">
              Open the training calendar
            </Button>
          }
        >
          You are not in an active cohort. As soon as the programme team enrols you, your fellowship shows here.
        </EmptyState>
      </Card>
    );
  }
  return (
    <>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
        <CohortCard cohort={cohort} />
        <ProgressCard progress={fellowship.progress} />
        <CoreModules modules={fellowship.modules} core={fellowship.coreModules} />
        <TrackPanel fellowship={fellowship} />
      </SimpleGrid>
      <section aria-labelledby="quick-actions">
        <Title order={2} id="quick-actions" mb="sm">
          Quick actions
        </Title>
        <Group gap="sm">
          <Button component={Link} to={paths.myFiles} variant="default" leftSection={<Folder size={16} aria-hidden />}>
            My Files
          </Button>
          <Button
            component={Link}
            to={paths.submissions}
            variant="default"
            leftSection={<ClipboardCheck size={16} aria-hidden />}
          >
            Submissions
          </Button>
        </Group>
      </section>
    </>
  );
}

const standings: Record<Fellowship['progress']['status'], { tone: Tone; word: string }> = {
  ahead: { tone: 'success', word: 'Ahead' },
  on_track: { tone: 'success', word: 'On track' },
  behind: { tone: 'warning', word: 'Behind' },
  at_risk: { tone: 'danger', word: 'At risk' },
};

function ProgressCard({ progress }: { progress: Fellowship['progress'] }) {
  const { tone, word } = standings[progress.status];
  const percentage = Math.round(progress.overallPercentage);
  return (
    <Card component="section" aria-labelledby="progress">
      <Stack gap="md">
        <Group justify="space-between" gap="sm">
          <Title order={2} id="progress">
            Progress
          </Title>
          <StatusBadge tone={tone}>{word}</StatusBadge>
        </Group>
        <Text fz={28} fw={650} lh={1.2} style={{ fontVariantNumeric: 'tabular-nums' }}>
          {percentage}%
        </Text>
        <Meter
          label="Overall completion"
          percentage={percentage}
          text={`${percentage}%`}
          note="Required activities you attended and required assignments that were accepted."
        />
      </Stack>
    </Card>
  );
}
