import { listReconciliation, type markStipendPaid, type takePaymentBack } from '#contract/payments.ts';
import { listStipends, readStipend } from '#contract/stipends.ts';
import { ApiError } from '../../api/api-error.ts';
import { refresh } from '../../api/query-for.ts';
import { useAction } from '../../api/use-action.ts';

const refreshes = [listStipends, readStipend, listReconciliation];

/**
 * The dialog closes where the stipend is another than the one it was opened for; after any other failure what was typed
 * stays.
 */
export function usePaymentAct<E extends typeof markStipendPaid | typeof takePaymentBack>(
  endpoint: E,
  success: string,
  onClose: () => void,
) {
  return useAction(endpoint, {
    refreshes,
    success,
    failureTitle: 'Update Failed',
    onSuccess: onClose,
    onError: (error) => {
      if (error instanceof ApiError && error.code === 'stale') onClose();
      void refresh(refreshes);
    },
  });
}
