import { Button } from '@mantine/core';
import { Video } from 'lucide-react';
import { isJoinOpen } from './join-times.ts';
import { useNow } from './use-now.ts';

interface JoinButtonProps {
  session: { scheduledAt: string; durationMinutes: number; teamsLink: string | null };
}

/** COACH-39: shows nothing without a meeting link. Before and after its time, the button is visible but disabled. */
export function JoinButton({ session }: JoinButtonProps) {
  const now = useNow();
  if (!session.teamsLink) return null;
  const icon = <Video size={15} aria-hidden />;
  if (!isJoinOpen(session, now)) {
    return (
      <Button size="sm" disabled leftSection={icon} title="Opens 15 minutes before the session">
        Join
      </Button>
    );
  }
  return (
    <Button component="a" size="sm" href={session.teamsLink} target="_blank" rel="noreferrer" leftSection={icon}>
      Join
    </Button>
  );
}
