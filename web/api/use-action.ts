import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { Endpoint, InputOf, ResponseOf } from '#contract/endpoint.ts';
import { hideToast, showToast, type Toast } from '../ui/toast.tsx';
import { isBehind, messageOf } from './api-error.ts';
import { type Sent, send } from './call.ts';
import { queryClient } from './query-for.ts';

interface ActionOptions<E extends Endpoint> {
  /** The title of the success toast, or the whole toast. */
  success?: string | Omit<Toast, 'type'> | ((reply: ResponseOf<E>, input: InputOf<E>) => Omit<Toast, 'type'> | null);
  /** The title of the error toast. Its message is the server's. Without a title, the form shows the error itself. */
  failureTitle?: string;
  onSuccess?: (reply: ResponseOf<E>, input: InputOf<E>) => void;
  onError?: (error: unknown) => void;
}

/**
 * A write that cannot be sent twice at once. A second call while the first runs is ignored. It ends when every query
 * that shows what it changed was read again. If it is refused because the screen is behind, everything shown is read
 * again.
 */
export function useAction<E extends Endpoint>(endpoint: E, options: ActionOptions<E> = {}) {
  const isRunning = useRef(false);
  const failureToast = useRef<string | null>(null);
  const readAgain = useRef<() => Promise<unknown>>(async () => undefined);
  const latest = useRef<InputOf<E> | null>(null);
  const isShown = useRef(true);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  const mutation = useMutation({
    mutationKey: [endpoint.name],
    mutationFn: async (input: InputOf<E>) => {
      latest.current = input;
      const sent = await send(endpoint, input, { whenLate: (late) => void succeedLate(late, input) });
      readAgain.current = sent.readAgain;
      return sent.reply;
    },
    onSuccess: async (reply, input) => {
      succeed(reply, input);
      await readAgain.current();
    },
    onError: (error) => {
      const { failureTitle: title } = options;
      if (title) failureToast.current = showToast({ type: 'error', title, message: messageOf(error) });
      options.onError?.(error);
      if (isBehind(error)) void queryClient.invalidateQueries();
    },
    onSettled: () => {
      isRunning.current = false;
    },
  });
  const succeed = (reply: ResponseOf<E>, input: InputOf<E>) => {
    const { success } = options;
    const toast =
      typeof success === 'string'
        ? { title: success }
        : typeof success === 'object'
          ? success
          : success?.(reply, input);
    if (toast) showToast({ type: 'success', ...toast });
    options.onSuccess?.(reply, input);
  };
  /** The answer has come after all, and the person has not tried again. A screen that they left does nothing more. */
  const succeedLate = async ({ reply, readAgain: readAgainLate }: Sent<E>, input: InputOf<E>) => {
    if (latest.current === input && isShown.current) {
      if (failureToast.current !== null) hideToast(failureToast.current);
      mutation.reset();
      succeed(reply, input);
    }
    await readAgainLate();
  };
  const run = (input: InputOf<E>) => {
    if (isRunning.current) return;
    isRunning.current = true;
    // The toast of the last try would stand beside this one's.
    if (failureToast.current !== null) hideToast(failureToast.current);
    mutation.mutate(input);
  };
  return { run, isRunning: mutation.isPending, error: mutation.error, reset: mutation.reset };
}
