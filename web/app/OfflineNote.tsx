import { Group, Text, VisuallyHidden } from '@mantine/core';
import { CloudAlert, WifiOff } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { readSession } from '#contract/accounts.ts';
import { useConnection } from '../api/connection.ts';
import { queryClient, refresh } from '../api/query-for.ts';

const probeDelayInMs = 3_000;
const words = {
  offline: 'You are offline.',
  unanswered: "We can't reach Switchyard.",
  unavailable: "Switchyard is not available right now. We'll keep trying.",
};

/**
 * Belongs into a live region that is always there. While the server is out of reach, the note asks it again and again.
 * When the server answers, everything shown is read again.
 */
export function OfflineNote() {
  const connection = useConnection();
  const isOffline = connection !== 'online';
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

  if (connection !== 'online') {
    // An unavailable server is no failure of the network.
    const Icon = connection === 'unavailable' ? CloudAlert : WifiOff;
    return (
      <Group gap="sm" wrap="nowrap" justify="center" h="100%" px="md">
        <Icon size={18} aria-hidden style={{ flexShrink: 0 }} />
        <Text size="sm">
          <b>{words[connection]}</b> What was loaded stays readable.
        </Text>
      </Group>
    );
  }
  return wasOffline.current ? <VisuallyHidden>The connection is back.</VisuallyHidden> : null;
}
