import { Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { readStipend } from '#contract/stipends.ts';
import { queryFor } from '../../api/query-for.ts';
import { ErrorState, LoadingState } from '../../ui/states.tsx';
import { StipendDetail } from './StipendDetail.tsx';

interface StipendDialogProps {
  stipendId: string | undefined;
  onClose: () => void;
}

/** STIP-49 to STIP-60 */
export function StipendDialog({ stipendId, onClose }: StipendDialogProps) {
  const detail = useQuery({
    ...queryFor(readStipend, { params: { id: stipendId ?? '' } }),
    enabled: stipendId !== undefined,
    staleTime: 0,
  });
  const title = detail.data ? `${detail.data.participantName}, Week ${detail.data.weekNumber}` : 'Participant details';
  return (
    <Modal
      opened={stipendId !== undefined}
      onClose={onClose}
      title={title}
      size={960}
      styles={{ title: { fontWeight: 650, lineHeight: 1.3, overflowWrap: 'anywhere' } }}
    >
      {detail.isPending ? <LoadingState label="Loading participant details" cards={3} rows={5} /> : null}
      {detail.isError ? (
        <ErrorState
          title="Error"
          message="Failed to load participant details"
          onRetry={() => void detail.refetch()}
          isRetrying={detail.isFetching}
        />
      ) : null}
      {detail.data ? <StipendDetail stipend={detail.data} /> : null}
    </Modal>
  );
}
