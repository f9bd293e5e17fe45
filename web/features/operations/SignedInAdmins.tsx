import { Anchor, Box, Card, Group, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ResponseOf } from '#contract/endpoint.ts';
import type { readStatus } from '#contract/operations.ts';
import { paths } from '../../app/paths.ts';
import { counted } from '../../ui/counted.ts';
import { DateTime } from '../../ui/DateTime.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';

type Admin = ResponseOf<typeof readStatus>['admins'][number];

/** Who could change anything right now? */
export function SignedInAdmins({ admins }: { admins: Admin[] }) {
  return (
    <Card component="section" aria-labelledby="signed-in-admins">
      <Title order={2} id="signed-in-admins" mb="sm">
        Admins who are signed in
      </Title>
      <Stack component="ul" gap="sm" m={0} p={0} style={{ listStyle: 'none' }}>
        {admins.map(({ id, name, sessions, signedInAt, hasSecondFactor }) => (
          <Group component="li" key={id} justify="space-between" gap="sm" align="flex-start">
            <Box style={{ minWidth: 0, overflowWrap: 'anywhere' }} flex="1 1 200px">
              <Anchor component={Link} to={paths.person(id)}>
                {name}
              </Anchor>
              <Text size="sm" c="dimmed">
                On {counted(sessions, 'device')}, last signed in <DateTime value={signedInAt} />
              </Text>
            </Box>
            <StatusBadge tone={hasSecondFactor ? 'success' : 'warning'}>
              {hasSecondFactor ? 'Second factor' : 'Password only'}
            </StatusBadge>
          </Group>
        ))}
      </Stack>
    </Card>
  );
}
