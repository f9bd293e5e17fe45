import { Group, Text, VisuallyHidden } from '@mantine/core';
import { WifiOff } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { readSession } from '#contract/accounts.ts';
import { useIsOffline } from '../api/connection.ts';
import { queryClient, refresh } from '../api/query-for.ts';

const probeDelayInMs = 3_000;

/**
 * Stands in a live region that is always there. While the server is out of reach it is asked again and again; when it
 * answers, all that is shown is read anew.
 */
export function OfflineNote() {
  const isOffline = useIsOffline();
  const wasOffline = useRef(false);
  useEffect(() => {
    if (!isOffline) {
      if (wasOffline.current) void queryClient.invalidateQueries();
      return;
    }
    wasOffline.current = true;
    const probe = () => void refresh([readSession]);
    const timer = setInterval(probe, probeDelayInMs);
    window.addEventListener('online', probe);
    return () => {
      clearInterval(timer);
      window.removeEventListener('online', probe);
    };
  }, [isOffline]);

  if (isOffline) {
    return (
      <Group gap="sm" wrap="nowrap" justify="center" h="100%" px="md">
        <WifiOff size={18} aria-hidden style={{ flexShrink: 0 }} />
        <Text size="sm">
          <b>You are offline.</b> What was loaded stays readable.
        </Text>
      </Group>
    );
  }
  return wasOffline.current ? <VisuallyHidden>You are online again.</VisuallyHidden> : null;
}
