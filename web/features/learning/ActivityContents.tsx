import { Anchor, Card, Checkbox, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import {
  Award,
  BookOpen,
  CircleHelp,
  CirclePlay,
  ClipboardPen,
  Download,
  ExternalLink,
  Link2,
  type LucideIcon,
} from 'lucide-react';
import { useState } from 'react';
import { type ContentItem, readActivityContent, setContentTick } from '#contract/activities.ts';
import { downloadFile } from '#contract/files.ts';
import { isWebAddress } from '#contract/web-address.ts';
import { addressOf } from '../../api/call.ts';
import { queryFor } from '../../api/query-for.ts';
import { useAction } from '../../api/use-action.ts';
import { formatDay } from '../../ui/dates.ts';
import { Loaded } from '../../ui/Loaded.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { WrittenText } from '../../ui/WrittenText.tsx';
import { AssignmentLinks } from './AssignmentLinks.tsx';

type Item = ContentItem;

/** ACT-06. A kind that is not here is shown as unsupported. */
const kinds: Partial<Record<Item['contentType'], { icon: LucideIcon; word: string; open: string }>> = {
  video: { icon: CirclePlay, word: 'Video', open: 'Watch the video' },
  reading: { icon: BookOpen, word: 'Reading', open: 'Open the reading' },
  certificate: { icon: Award, word: 'Certificate', open: 'Open the certificate page' },
  assignment: { icon: ClipboardPen, word: 'Assignment', open: 'Open the material' },
  link_task: { icon: Link2, word: 'Link task', open: 'Open the link' },
};

interface ActivityContentsProps {
  activityId: string;
  isParticipant: boolean;
  /** Says when the activity opens. Nothing is ticked before. It is null for an open one. */
  opens: string | null;
}

export function ActivityContents({ activityId, isParticipant, opens }: ActivityContentsProps) {
  const contents = useQuery(queryFor(readActivityContent, { params: { id: activityId } }));
  return (
    <section aria-labelledby="contents">
      <Title order={2} id="contents" mb="sm">
        Content
      </Title>
      <Loaded
        read={contents}
        failure="Failed to load activity content"
        loading={{ label: 'Loading the content', rows: 2 }}
      >
        {({ items }) => <ContentList items={items} isParticipant={isParticipant} opens={opens} />}
      </Loaded>
    </section>
  );
}

function ContentList({ items, ...viewer }: Omit<ActivityContentsProps, 'activityId'> & { items: Item[] }) {
  if (items.length === 0) return <Text c="dimmed">There is nothing to read or hand in for this activity.</Text>;
  return (
    <Stack gap="sm" component="ol" p={0} m={0} style={{ listStyle: 'none' }}>
      {items.map((item) => (
        <Card key={item.id} component="li">
          <ContentCard item={item} {...viewer} />
        </Card>
      ))}
    </Stack>
  );
}

function ContentCard({ item, isParticipant, opens }: Omit<ActivityContentsProps, 'activityId'> & { item: Item }) {
  const kind = kinds[item.contentType];
  const Icon = kind?.icon ?? CircleHelp;
  const facts = [
    kind?.word ?? 'Unsupported content',
    `${item.estimatedMinutes} min`,
    item.dueDate ? `Due ${formatDay(item.dueDate)}` : null,
  ];
  return (
    <Group gap="md" wrap="nowrap" align="flex-start">
      <Icon size={22} aria-hidden style={{ flexShrink: 0, marginTop: 2 }} />
      <Stack gap="xs" style={{ minWidth: 0, flex: 1 }}>
        <Group justify="space-between" gap="xs" align="flex-start">
          <div style={{ minWidth: 0 }}>
            <Title order={3}>{item.title}</Title>
            <Text size="sm" c="dimmed">
              {facts.filter(Boolean).join(' · ')}
            </Text>
          </div>
          {item.isRequired ? (
            <StatusBadge tone="info">Required</StatusBadge>
          ) : (
            <StatusBadge tone="neutral">Optional</StatusBadge>
          )}
        </Group>
        {item.description ? <WrittenText>{item.description}</WrittenText> : null}
        {kind ? (
          <Material item={item} openLabel={kind.open} />
        ) : (
          <Text size="sm">
            This kind of content ({item.contentType}) cannot be shown here.
            {isParticipant ? ' Ask your coach about it.' : ''}
          </Text>
        )}
        {item.assignments.length > 0 ? (
          <AssignmentLinks assignments={item.assignments} isParticipant={isParticipant} />
        ) : null}
        {item.isTicked !== null && item.assignments.length === 0 ? (
          <Tick item={item} isTicked={item.isTicked} opens={opens} />
        ) : null}
      </Stack>
    </Group>
  );
}

/** For handed-in work, its status says more than a mark. */
function Tick({ item, isTicked, opens }: { item: Item; isTicked: boolean; opens: string | null }) {
  const [wanted, setWanted] = useState<boolean | null>(null);
  const action = useAction(setContentTick, {
    failureTitle: 'Update Failed',
    onError: () => setWanted(null),
  });
  return (
    <Checkbox
      label="Done"
      aria-label={`Done: ${item.title}`}
      description={opens}
      disabled={opens !== null}
      checked={action.isRunning && wanted !== null ? wanted : isTicked}
      onChange={({ currentTarget }) => {
        setWanted(currentTarget.checked);
        action.run({ params: { id: item.id }, body: { isTicked: currentTarget.checked } });
      }}
    />
  );
}

function Material({ item, openLabel }: { item: Item; openLabel: string }) {
  const { contentUrl, contentText, fileId } = item;
  return (
    <>
      {contentText ? <WrittenText>{contentText}</WrittenText> : null}
      {contentUrl && isWebAddress(contentUrl) ? (
        <Anchor href={contentUrl} target="_blank" rel="noopener noreferrer" w="fit-content">
          <ExternalLink size={15} aria-hidden style={{ verticalAlign: '-2px', marginInlineEnd: 4 }} />
          {openLabel}
        </Anchor>
      ) : null}
      {contentUrl && !isWebAddress(contentUrl) ? <Text>{contentUrl}</Text> : null}
      {fileId ? (
        <Anchor href={addressOf(downloadFile, { params: { id: fileId } })} w="fit-content">
          <Download size={15} aria-hidden style={{ verticalAlign: '-2px', marginInlineEnd: 4 }} />
          Download the file
        </Anchor>
      ) : null}
    </>
  );
}
