import { useMutation } from '@tanstack/react-query';
import { ApiError, messageOf } from '../../../api/api-error.ts';
import { showToast } from '../../../ui/toast.tsx';

interface DeviceActOptions {
  failureTitle: string;
  onSuccess: () => unknown;
}

/** An act of several calls, with a question to the person's device or wallet between them. */
export function useDeviceAct<Input = void>(
  act: (input: Input) => Promise<unknown>,
  { failureTitle, onSuccess }: DeviceActOptions,
) {
  const mutation = useMutation({
    mutationFn: act,
    onSuccess,
    onError: (error) => showToast({ type: 'error', title: failureTitle, message: reasonOf(error) }),
  });
  return { run: mutation.mutate, isRunning: mutation.isPending };
}

/** Browsers and wallets say 'refused' for every kind of no. */
function reasonOf(error: unknown): string {
  if (error instanceof ApiError) return messageOf(error);
  if (error instanceof Error && error.name === 'InvalidStateError') return 'This device already has a passkey for you.';
  return 'Your device or wallet did not confirm it.';
}
