import { Button, Stack, Text } from '@mantine/core';
import { useMatches, useNavigate } from '@tanstack/react-router';
import { RotateCw } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useIsOffline } from '../api/connection.ts';
import { refetchSession, useIsSessionUnread, useSession } from '../api/session.ts';
import { placeAfterSignIn } from '../features/accounts/ways-in/place-after-sign-in.ts';
import { OfflineNote } from './OfflineNote.tsx';

/** AUTH-48: tells on a screen for everybody that the server does not answer. Goes on by itself when the server does. */
export function SessionNote() {
  const isUnread = useIsSessionUnread();
  const isOffline = useIsOffline();
  const [isTrying, setTrying] = useState(false);
  useGoOnWhenSignedIn();
  const tryAgain = async () => {
    setTrying(true);
    // This note already says that the server does not answer.
    await Promise.allSettled([refetchSession()]);
    setTrying(false);
  };
  return (
    <Stack gap="xs" align="center">
      <div role="status">
        {isUnread && !isOffline ? (
          <Text size="sm" ta="center">
            <b>Switchyard has a problem right now.</b> We'll keep trying.
          </Text>
        ) : (
          <OfflineNote />
        )}
      </div>
      {isUnread ? (
        <Button
          variant="default"
          size="sm"
          leftSection={<RotateCw size={15} aria-hidden />}
          loading={isTrying}
          onClick={() => void tryAgain()}
        >
          Try again
        </Button>
      ) : null}
    </Stack>
  );
}

/**
 * ROUTE-17 AUTH-40: a person who turns out to be signed in, even by another tab, moves on from the screens for nobody.
 */
function useGoOnWhenSignedIn(): void {
  const { user } = useSession();
  const navigate = useNavigate();
  const isForNobody = useMatches({ select: (matches) => matches.at(-1)?.staticData.isForNobodySignedIn ?? false });
  const isFound = user !== null && isForNobody;
  useEffect(() => {
    if (isFound) void navigate({ to: placeAfterSignIn(location.search, location.origin), replace: true });
  }, [isFound, navigate]);
}
