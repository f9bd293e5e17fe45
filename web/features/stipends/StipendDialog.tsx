import { Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { periodName, startOfSentence } from '#contract/pay-periods.ts';
import { readStipend } from '#contract/stipends.ts';
import { queryFor } from '../../api/query-for.ts';
import { Loaded } from '../../ui/Loaded.tsx';
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
  const title = detail.data
    ? `${detail.data.participantName}, ${startOfSentence(periodName(detail.data))}`
    : 'Participant details';
  return (
    <Modal
      opened={stipendId !== undefined}
      onClose={onClose}
      title={title}
      size={960}
      styles={{ title: { fontWeight: 650, lineHeight: 1.3 } }}
    >
      <Loaded
        read={detail}
        failure="Failed to load participant details"
        loading={{ label: 'Loading participant details', cards: 3, rows: 5 }}
      >
        {(data) => <StipendDetail stipend={data} />}
      </Loaded>
    </Modal>
  );
}
