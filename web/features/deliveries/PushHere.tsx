import { Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { checkPush, readPushKey, subscribePush, unsubscribePush } from '#contract/push.ts';
import { messageOf } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { useAction } from '../../api/use-action.ts';
import { Loaded } from '../../ui/Loaded.tsx';
import { showToast } from '../../ui/toast.tsx';
import { canPush, endPush, ownPushAddress, startPush } from './browser-push.ts';

/** Push belongs to a browser. People switch it on and off in the browser that shows it. */
export function PushHere() {
  const isPossible = canPush();
  const own = useQuery({ queryKey: ['own push address'], queryFn: findOwnAddress, enabled: isPossible, staleTime: 0 });
  const [isAsking, setAsking] = useState(false);
  const readAgain = () => void own.refetch();
  const subscribe = useAction(subscribePush, {
    success: 'Push Switched On Here',
    onSuccess: readAgain,
    onError: failed,
  });
  const unsubscribe = useAction(unsubscribePush, {
    success: 'Push Switched Off Here',
    onSuccess: readAgain,
    onError: failed,
  });
  if (!isPossible) return <Text size="sm">This browser cannot show push notifications.</Text>;

  const start = async () => {
    setAsking(true);
    try {
      const { publicKey } = await call(readPushKey);
      subscribe.run({ body: await startPush(publicKey) });
    } catch (error) {
      failed(error);
    } finally {
      setAsking(false);
    }
  };
  const stop = async (endpoint: string) => {
    try {
      await endPush();
      unsubscribe.run({ body: { endpoint } });
    } catch (error) {
      failed(error);
    }
  };
  return (
    <Loaded
      read={own}
      failure="Push notifications for this browser could not be loaded"
      loading={{ label: 'Checking this browser', rows: 1 }}
    >
      {(endpoint) => (
        <div>
          <Text size="sm" mb={6}>
            {endpoint ? 'This browser shows push notifications.' : 'This browser shows no push notifications yet.'}
          </Text>
          <Button
            variant="default"
            size="sm"
            loading={isAsking || subscribe.isRunning || unsubscribe.isRunning}
            onClick={() => void (endpoint ? stop(endpoint) : start())}
          >
            {endpoint ? 'Stop in this browser' : 'Show them in this browser'}
          </Button>
        </div>
      )}
    </Loaded>
  );
}

/** The browser keeps its address even if its session was ended elsewhere, or if somebody else signs in. */
async function findOwnAddress(): Promise<string | null> {
  const endpoint = await ownPushAddress();
  if (endpoint === null) return null;
  const { isOwn } = await call(checkPush, { body: { endpoint } });
  return isOwn ? endpoint : null;
}

function failed(error: unknown): void {
  showToast({ type: 'error', title: 'Push Not Changed', message: messageOf(error) });
}
