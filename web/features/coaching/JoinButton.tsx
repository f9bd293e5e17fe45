import { Box, Button, Stack, Text } from '@mantine/core';
import { Video } from 'lucide-react';
import { useId } from 'react';
import { joinOpensMinutesBefore } from '#contract/coach-sessions.ts';
import { hasEnded, isJoinOpen } from './join-times.ts';
import { useNow } from './use-now.ts';

interface JoinButtonProps {
  session: { scheduledAt: string; durationMinutes: number; teamsLink: string | null };
}

/**
 * COACH-39: shows no button without a meeting link. Before and after its time, the button is visible but disabled. Its
 * caption hangs below it, so a row of buttons aligns them at the top.
 */
export function JoinButton({ session }: JoinButtonProps) {
  const now = useNow();
  const whenId = useId();
  const isOver = hasEnded(session, now);
  if (!session.teamsLink) {
    // A phone's row has no room for it.
    return isOver ? null : (
      <Box visibleFrom="sm" style={{ alignSelf: 'center' }}>
        <When>No meeting link yet</When>
      </Box>
    );
  }
  const icon = <Video size={15} aria-hidden />;
  if (!isJoinOpen(session, now)) {
    return (
      <Stack gap={2} align="flex-start">
        <Button size="sm" disabled leftSection={icon} aria-describedby={whenId}>
          Join
        </Button>
        <When id={whenId}>{isOver ? 'Has ended' : `Opens ${joinOpensMinutesBefore} minutes before`}</When>
      </Stack>
    );
  }
  return (
    <Button component="a" size="sm" href={session.teamsLink} target="_blank" rel="noreferrer" leftSection={icon}>
      Join
    </Button>
  );
}

function When({ id, children }: { id?: string; children: string }) {
  return (
    <Text id={id} size="xs" c="dimmed" maw={{ base: 90, sm: 'none' }}>
      {children}
    </Text>
  );
}
