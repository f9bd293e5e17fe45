import { Button, Card, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ClipboardCheck, Folder } from 'lucide-react';
import { Id } from '#contract/endpoint.ts';
import { type Fellowship, readFellowship } from '#contract/fellowship.ts';
import { messageOf } from '../../api/api-error.ts';
import { queryFor } from '../../api/query-for.ts';
import { paths } from '../../app/paths.ts';
import { Loaded } from '../../ui/Loaded.tsx';
import { Meter } from '../../ui/Meter.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { CohortCard } from './CohortCard.tsx';
import { ModuleList } from './ModuleList.tsx';
import { ProgressCard } from './ProgressCard.tsx';
import { TrackPanel } from './TrackPanel.tsx';

export function FellowshipPage() {
  const fellowship = useQuery(queryFor(readFellowship));
  return (
    <>
      <PageHeader title="Fellowship Program" lead="Your cohort, how far you are, and the track you specialize in." />
      <Stack gap="lg">
        <Loaded
          read={fellowship}
          // FELL-10: one sentence on one line, so no title of its own.
          failure={{ words: `Failed to load fellowship data: ${messageOf(fellowship.error)}` }}
          loading={{ label: 'Loading the fellowship', cards: 2 }}
        >
          {(fellowship) => (
            <Stack gap="lg">
              <FellowshipPanels fellowship={fellowship} />
            </Stack>
          )}
        </Loaded>
      </Stack>
    </>
  );
}

export function FellowshipPanels({ fellowship }: { fellowship: Fellowship }) {
  const { cohort } = fellowship;
  if (!cohort) {
    return (
      <Card>
        <EmptyState
          title="No Active Fellowship"
          action={
            <Button component={Link} to={paths.dashboard} variant="default">
              See what happens next
            </Button>
          }
        >
          You are not in an active cohort. As soon as the program team enrolls you, your fellowship shows here.
        </EmptyState>
      </Card>
    );
  }
  // FELL-11
  if (!Id.safeParse(cohort.id).success) return <ErrorState title="No valid cohort ID found" />;
  return (
    <>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
        <CohortCard cohort={cohort} courses={fellowship.courses} />
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

/** FELL-04 */
function CoreModules({ modules, core }: { modules: Fellowship['modules']; core: Fellowship['coreModules'] }) {
  return (
    <Card component="section" aria-labelledby="core-modules">
      <Stack gap="md">
        <Title order={2} id="core-modules">
          Core modules
        </Title>
        <Meter
          label="Completed core modules"
          percentage={core.total === 0 ? 0 : (100 * core.completed) / core.total}
          text={`${core.completed} of ${core.total}`}
        />
        {core.total === 0 ? <Text c="dimmed">The modules of your curriculum are not set up yet.</Text> : null}
        <ModuleList modules={modules.filter(({ moduleType }) => moduleType === 'core')} />
      </Stack>
    </Card>
  );
}
