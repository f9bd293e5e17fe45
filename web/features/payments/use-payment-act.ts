import type { markStipendPaid, takePaymentBack } from '#contract/payments.ts';
import { ApiError } from '../../api/api-error.ts';
import { useAction } from '../../api/use-action.ts';

/**
 * The dialog closes if the stipend is another than the one it was opened for. After any other failure, the input stays.
 */
export function usePaymentAct<E extends typeof markStipendPaid | typeof takePaymentBack>(
  endpoint: E,
  success: string,
  onClose: () => void,
) {
  return useAction(endpoint, {
    success,
    failureTitle: 'Update Failed',
    onSuccess: onClose,
    onError: (error) => {
      if (error instanceof ApiError && error.code === 'stale') onClose();
    },
  });
}
