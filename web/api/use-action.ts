import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import type { Endpoint, InputOf, ResponseOf } from '#contract/endpoint.ts';
import { hideToast, showToast, type Toast } from '../ui/toast.tsx';
import { messageOf } from './api-error.ts';
import { type CallInput, call } from './call.ts';
import { refresh } from './query-for.ts';

interface ActionOptions<E extends Endpoint> {
  /** Endpoints whose answers the act changes. */
  refreshes?: readonly Endpoint[];
  /** Title of the success toast, or the whole toast. */
  success?: string | ((reply: ResponseOf<E>) => Omit<Toast, 'type'> | null);
  /** Title of the error toast; its message is the server's. Without one the form shows the error itself. */
  failureTitle?: string;
  onSuccess?: (reply: ResponseOf<E>, input: InputOf<E>) => void;
  onError?: (error: unknown) => void;
}

/** A write that can't be sent twice at once: a second call while the first runs is ignored. */
export function useAction<E extends Endpoint>(endpoint: E, options: ActionOptions<E> = {}) {
  const isRunning = useRef(false);
  const failureToast = useRef<string | null>(null);
  const mutation = useMutation({
    mutationKey: [endpoint.name],
    mutationFn: (input: InputOf<E>) => call(endpoint, ...([input] as unknown as CallInput<E>)),
    onSuccess: async (reply, input) => {
      const { success } = options;
      const toast = typeof success === 'string' ? { title: success } : success?.(reply);
      if (toast) showToast({ type: 'success', ...toast });
      options.onSuccess?.(reply, input);
      await refresh(options.refreshes ?? []);
    },
    onError: (error) => {
      const { failureTitle: title } = options;
      if (title) failureToast.current = showToast({ type: 'error', title, message: messageOf(error) });
      options.onError?.(error);
    },
    onSettled: () => {
      isRunning.current = false;
    },
  });
  const run = (input: InputOf<E>) => {
    if (isRunning.current) return;
    isRunning.current = true;
    // What the last try came to would stand beside what this one comes to.
    if (failureToast.current !== null) hideToast(failureToast.current);
    mutation.mutate(input);
  };
  return { run, isRunning: mutation.isPending, error: mutation.error, reset: mutation.reset };
}
