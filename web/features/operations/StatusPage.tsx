import { SimpleGrid, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { readStatus } from '#contract/operations.ts';
import { queryFor } from '../../api/query-for.ts';
import { Loaded } from '../../ui/Loaded.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { SignedInAdmins } from './SignedInAdmins.tsx';
import { StatusFacts } from './StatusFacts.tsx';
import { StatusFindings } from './StatusFindings.tsx';
import { WaitingJobs } from './WaitingJobs.tsx';

const readEveryMs = 30_000;

/** Is anything wrong? The rest of the page says what it runs on. */
export function StatusPage() {
  const status = useQuery({ ...queryFor(readStatus), refetchInterval: readEveryMs });
  return (
    <>
      <PageHeader title="Status" lead="Whether Switchyard runs as it should, and what to do if it does not." />
      <Loaded
        read={status}
        failure="The status could not be loaded"
        loading={{ label: 'Loading the status', cards: 3, rows: 4 }}
      >
        {(data) => (
          <Stack gap="md">
            <StatusFindings status={data} />
            <StatusFacts status={data} />
            <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
              <WaitingJobs queues={data.queues} />
              <SignedInAdmins admins={data.admins} />
            </SimpleGrid>
          </Stack>
        )}
      </Loaded>
    </>
  );
}
