import { Button, Card, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useRef, useState } from 'react';
import {
  listContents,
  type ManagedAssignment,
  type ManagedContent,
  orderContentAssignments,
  orderContents,
} from '#contract/contents.ts';
import { readTrainingActivity, type TrainingActivity } from '#contract/training-activities.ts';
import { queryFor } from '../../../api/query-for.ts';
import { useAction } from '../../../api/use-action.ts';
import { counted } from '../../../ui/counted.ts';
import { formatDay } from '../../../ui/dates.ts';
import { Loaded, together } from '../../../ui/Loaded.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { whomItReaches } from '../setup-words.ts';
import { AssignmentDialog } from './AssignmentDialog.tsx';
import { ContentDialog } from './ContentDialog.tsx';
import { ContentList } from './ContentList.tsx';
import { AssignmentRemoval, ContentRemoval } from './ContentRemoval.tsx';

/** The form that is open above the list, with the row as it stood. Somebody else may change or delete it meanwhile. */
type Open =
  | { what: 'add-content' | 'add-assignment' }
  | { what: 'edit-content' | 'delete-content'; item: ManagedContent }
  | { what: 'edit-assignment' | 'delete-assignment'; assignment: ManagedAssignment };

/** CONT-03 to CONT-07 */
export function ActivityContentPanel({ activityId }: { activityId: string }) {
  const params = { id: activityId };
  const activity = useQuery(queryFor(readTrainingActivity, { params }));
  const contents = useQuery(queryFor(listContents, { params }));
  return (
    <Loaded read={together(activity, contents)} failure="Load Error" loading={{ label: 'Loading contents', rows: 5 }}>
      {({ one, other: { items } }) => <ActivityContents activity={one} items={items} />}
    </Loaded>
  );
}

function ActivityContents({ activity, items }: { activity: TrainingActivity; items: ManagedContent[] }) {
  const [open, setOpen] = useState<Open | null>(null);
  const count = useRef<HTMLParagraphElement>(null);
  const orderOptions = {
    failureTitle: 'Update Failed',
  };
  const order = useAction(orderContents, orderOptions);
  const orderAssignments = useAction(orderContentAssignments, orderOptions);
  const assignments = items.flatMap((item) => item.assignments);
  const close = () => setOpen(null);
  const afterDeleting = () => {
    close();
    requestAnimationFrame(() => count.current?.focus());
  };
  const {
    id: activityId,
    title,
    weekNumber,
    deliveryPartner,
    sessionDate,
    cohortName,
    cohortId,
    reachedCount,
  } = activity;
  return (
    <>
      <Card>
        <Group justify="space-between" align="flex-start" gap="md">
          <Stack gap={4} flex="1 1 280px" miw={0}>
            <Title order={2}>{title}</Title>
            <Text size="sm" c="dimmed">
              {[
                `Week ${weekNumber}`,
                deliveryPartner ?? 'No delivery partner',
                formatDay(sessionDate, { withYear: true }),
                cohortName ?? 'Unassigned',
              ].join(' · ')}
            </Text>
            {cohortId ? null : (
              <Text size="sm" c="dimmed">
                {whomItReaches(reachedCount)}
              </Text>
            )}
          </Stack>
          <Group gap="sm">
            <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => setOpen({ what: 'add-content' })}>
              Add Content
            </Button>
            <Button
              variant="default"
              leftSection={<Plus size={16} aria-hidden />}
              disabled={items.length === 0}
              title={items.length === 0 ? 'An assignment belongs to a content item: add one first' : undefined}
              onClick={() => setOpen({ what: 'add-assignment' })}
            >
              Add Assignment
            </Button>
          </Group>
        </Group>
      </Card>
      <Text ref={count} size="sm" c="dimmed" role="status" tabIndex={-1}>
        {counted(items.length, 'content item')}, {counted(assignments.length, 'assignment')}
      </Text>
      {items.length === 0 ? (
        <Card>
          <EmptyState title="No content yet">What people read, watch and hand in is listed here.</EmptyState>
        </Card>
      ) : (
        <ContentList
          items={items}
          acts={{
            onEdit: (item) => setOpen({ what: 'edit-content', item }),
            onDelete: (item) => setOpen({ what: 'delete-content', item }),
            onMove: ({ id }, direction) =>
              order.run({ params: { id: activityId }, body: { ids: moved(items, id, direction) } }),
            onEditAssignment: (assignment) => setOpen({ what: 'edit-assignment', assignment }),
            onDeleteAssignment: (assignment) => setOpen({ what: 'delete-assignment', assignment }),
            onMoveAssignment: (parent: ManagedContent, { id }, direction) =>
              orderAssignments.run({
                params: { id: parent.id },
                body: { ids: moved(parent.assignments, id, direction) },
              }),
          }}
        />
      )}
      {open?.what === 'add-content' ? <ContentDialog activityId={activityId} item={null} onClose={close} /> : null}
      {open?.what === 'edit-content' ? (
        <ContentDialog activityId={activityId} item={asItStands(items, open.item)} onClose={close} />
      ) : null}
      {open?.what === 'delete-content' ? (
        <ContentRemoval item={asItStands(items, open.item)} onClose={close} onDeleted={afterDeleting} />
      ) : null}
      {open?.what === 'add-assignment' ? <AssignmentDialog items={items} assignment={null} onClose={close} /> : null}
      {open?.what === 'edit-assignment' ? (
        <AssignmentDialog items={items} assignment={asItStands(assignments, open.assignment)} onClose={close} />
      ) : null}
      {open?.what === 'delete-assignment' ? (
        <AssignmentRemoval
          assignment={asItStands(assignments, open.assignment)}
          onClose={close}
          onDeleted={afterDeleting}
        />
      ) : null}
    </>
  );
}

function asItStands<Row extends { id: string }>(rows: Row[], opened: Row): Row {
  return rows.find(({ id }) => id === opened.id) ?? opened;
}

function moved(rows: { id: string }[], id: string, direction: 'up' | 'down'): string[] {
  const ids = rows.map((row) => row.id);
  const place = ids.indexOf(id);
  ids.splice(place, 1);
  ids.splice(place + (direction === 'up' ? -1 : 1), 0, id);
  return ids;
}
