import { Anchor, Box, Center, Group, Stack, Text } from '@mantine/core';
import { Outlet } from '@tanstack/react-router';
import { Logo } from '../ui/Logo.tsx';
import { SessionNote } from './SessionNote.tsx';

/** Frames the account screens: who we are, and one card. */
export function SignedOutLayout() {
  return (
    <Center mih="100dvh" p="md">
      <Stack w="100%" maw={460} gap="lg">
        <Box component="header">
          <Anchor href="/login" underline="never" c="inherit">
            <Group gap="sm" wrap="nowrap">
              <Logo size={36} />
              <Box>
                <Text fw={650} fz="lg" lh={1.2}>
                  Switchyard
                </Text>
                <Text size="sm" c="dimmed" style={{ textWrap: 'balance' }}>
                  The cohort-based training and coaching hub for power-systems workforce training
                </Text>
              </Box>
            </Group>
          </Anchor>
        </Box>
        <SessionNote />
        <Box component="main">
          <Outlet />
        </Box>
      </Stack>
    </Center>
  );
}
