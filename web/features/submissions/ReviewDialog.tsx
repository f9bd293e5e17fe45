import { Button, Group, Modal, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import classes from './ReviewDialog.module.css';
import { type Neighbours, ReviewNeighbours } from './ReviewNeighbours.tsx';
import { ReviewPanes } from './ReviewPanes.tsx';
import { useTakingBack } from './use-taking-back.ts';

interface ReviewDialogProps {
  submissionId: string | null;
  neighbours: Neighbours;
  userId: string;
  /** Counts what waits for a review. Undefined until it is read. */
  waiting: number | undefined;
  onOpen: (submissionId: string) => void;
  onClose: () => void;
}

/** SUBM-08: the work and its review side by side. A reviewer goes on to the next one without the list. */
export function ReviewDialog({ submissionId, neighbours, userId, waiting, onOpen, onClose }: ReviewDialogProps) {
  const isNarrow = useMediaQuery('(max-width: 61.99em)', false, { getInitialValueInEffect: false });
  const title = useRef<HTMLHeadingElement>(null);
  const shown = useRef(submissionId);
  useEffect(() => {
    if (shown.current && submissionId && shown.current !== submissionId) title.current?.focus();
    shown.current = submissionId;
  }, [submissionId]);
  const [done, setDone] = useState(0);
  const isOpen = submissionId !== null;
  useEffect(() => {
    if (!isOpen) setDone(0);
  }, [isOpen]);
  const { next } = neighbours;
  const takingBack = useTakingBack((id) => {
    setDone((before) => Math.max(0, before - 1));
    onOpen(id);
  });
  const { last } = takingBack;
  const [areCommentsOpen, openComments] = useState(false);

  return (
    <Modal.Root
      opened={isOpen}
      onClose={onClose}
      closeOnEscape={!areCommentsOpen}
      size="86rem"
      fullScreen={isNarrow}
      centered={false}
      radius="lg"
      classNames={{ content: classes.content }}
    >
      <Modal.Overlay />
      <Modal.Content>
        <Modal.Body p={{ base: 'sm', sm: 'lg' }} className={classes.body}>
          {/* Modal.Header would be a second banner of the page, beside the phone's. */}
          <Group justify="space-between" gap="xs">
            <Modal.Title ref={title} fz="lg" fw={650} tabIndex={-1} data-autofocus className={classes.title}>
              Review submission
            </Modal.Title>
            <Text size="sm" c="dimmed" role="status">
              {done > 0 && waiting !== undefined
                ? `${done.toLocaleString('en-US')} done, ${waiting.toLocaleString('en-US')} left`
                : ''}
            </Text>
            {last && last.id !== submissionId ? (
              <Button
                variant="subtle"
                size="compact-sm"
                loading={takingBack.isRunning}
                onClick={() => takingBack.takeBack(last.id, last.reviewedAt)}
              >
                Take back the last one
              </Button>
            ) : null}
            <Group gap="xs" wrap="nowrap" ml="auto">
              {submissionId ? <ReviewNeighbours neighbours={neighbours} onOpen={onOpen} /> : null}
              <Modal.CloseButton aria-label="Close" />
            </Group>
          </Group>
          {submissionId ? (
            <ReviewPanes
              key={submissionId}
              submissionId={submissionId}
              userId={userId}
              onSent={(sent) => {
                setDone((before) => before + 1);
                takingBack.offer(sent, { isInTheWay: isNarrow === true && next !== null });
              }}
              takingBack={takingBack}
              comments={{ areOpen: areCommentsOpen, open: openComments }}
              onDone={onClose}
              onNext={next ? () => onOpen(next) : null}
            />
          ) : null}
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
