import { Anchor, Card, Stack, Title } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { paths } from '../../app/paths.ts';
import { historyQuery } from './ImportHistory.tsx';
import { ImportProgress } from './ImportProgress.tsx';

/** Uploads that are being created now, no matter who sent them and where that admin is now. */
export function RunningImports({ exceptId }: { exceptId: string | null }) {
  const history = useInfiniteQuery(historyQuery);
  const running = (history.data?.pages[0]?.rows ?? []).filter(
    ({ id, status }) => status === 'processing' && id !== exceptId,
  );
  if (running.length === 0) return null;
  return (
    <Card component="section" aria-labelledby="running-imports">
      <Stack gap="md">
        <Title order={2} id="running-imports">
          Being created now
        </Title>
        {running.map((item) => (
          <Stack key={item.id} gap={4}>
            <Anchor component={Link} to={paths.import(item.id)} fw={550}>
              {item.filename}
            </Anchor>
            <ImportProgress item={item} />
          </Stack>
        ))}
      </Stack>
    </Card>
  );
}
