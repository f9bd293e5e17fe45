import { Group, Text, VisuallyHidden } from '@mantine/core';
import { CloudAlert, WifiOff } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { readSession } from '#contract/accounts.ts';
import { useConnection } from '../api/connection.ts';
import { queryClient, refresh } from '../api/query-for.ts';

const probeDelayInMs = 3_000;
const words = {
  offline: 'You are offline.',
  unanswered: 'The server can not be reached.',
  unavailable: "Switchyard is not available right now. We'll keep trying.",
};

/**
 * Stands in a live region that is always there. While the server is out of reach it is asked again and again; when it
 * answers, all that is shown is read anew.
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
    // The network is not what fails then.
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
