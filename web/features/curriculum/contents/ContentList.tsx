import { Anchor, Badge, Card, Group, Spoiler, Stack, Text, Title } from '@mantine/core';
import { ExternalLink, FileText } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ManagedAssignment, ManagedContent } from '#contract/contents.ts';
import { downloadFile } from '#contract/files.ts';
import { isWebAddress } from '#contract/web-address.ts';
import { addressOf } from '../../../api/call.ts';
import { formatBytes } from '../../../ui/bytes.ts';
import { counted } from '../../../ui/counted.ts';
import { formatDay } from '../../../ui/dates.ts';
import { WrittenText } from '../../../ui/WrittenText.tsx';
import { RowActions } from '../RowActions.tsx';
import classes from './ContentManagement.module.css';
import { assignmentTypeNames, contentTypeNames } from './content-drafts.ts';

type Direction = 'up' | 'down';

export interface ContentActs {
  onEdit: (item: ManagedContent) => void;
  onDelete: (item: ManagedContent) => void;
  onMove: (item: ManagedContent, direction: Direction) => void;
  onEditAssignment: (assignment: ManagedAssignment) => void;
  onDeleteAssignment: (assignment: ManagedAssignment) => void;
  onMoveAssignment: (item: ManagedContent, assignment: ManagedAssignment, direction: Direction) => void;
}

/** CONT-04, CONT-05 */
export function ContentList({ items, acts }: { items: ManagedContent[]; acts: ContentActs }) {
  return (
    <Stack component="ol" gap="sm" className={classes.list} aria-label="Content items">
      {items.map((item, index) => (
        <li key={item.id}>
          <ContentCard item={item} isFirst={index === 0} isLast={index === items.length - 1} acts={acts} />
        </li>
      ))}
    </Stack>
  );
}

interface ContentCardProps {
  item: ManagedContent;
  isFirst: boolean;
  isLast: boolean;
  acts: ContentActs;
}

function ContentCard({ item, isFirst, isLast, acts }: ContentCardProps) {
  const { title, contentType, orderIndex, estimatedMinutes, isRequired, contentUrl, contentText, dueDate, file } = item;
  return (
    <Card>
      <Group justify="space-between" align="flex-start" gap="sm">
        <Stack gap={6} flex="1 1 260px" miw={0}>
          <Title order={3}>{title}</Title>
          <Facts
            kind={contentTypeNames[contentType]}
            isRequired={isRequired}
            others={[`Order ${orderIndex}`, `${estimatedMinutes} min`, dueDate ? `Due ${formatDay(dueDate)}` : null]}
          />
          {contentText ? (
            <Spoiler maxHeight={72} showLabel="Show all" hideLabel="Show less">
              <WrittenText>{contentText}</WrittenText>
            </Spoiler>
          ) : null}
          <Group gap="md">
            {contentUrl ? <Address url={contentUrl} /> : null}
            {file ? (
              <Anchor href={addressOf(downloadFile, { params: { id: file.id } })} size="sm">
                <FileText size={13} aria-hidden style={{ verticalAlign: '-2px' }} /> {file.name} (
                {formatBytes(file.size)})
              </Anchor>
            ) : null}
          </Group>
        </Stack>
        <RowActions
          name={title}
          isFirst={isFirst}
          isLast={isLast}
          onMove={(direction) => acts.onMove(item, direction)}
          onEdit={() => acts.onEdit(item)}
          onDelete={() => acts.onDelete(item)}
        />
      </Group>
      {item.assignments.length > 0 ? (
        <ol className={classes.list} aria-label={`Assignments of ${title}`}>
          {item.assignments.map((assignment, index) => (
            <li key={assignment.id} className={classes.assignment}>
              <AssignmentRow
                assignment={assignment}
                isFirst={index === 0}
                isLast={index === item.assignments.length - 1}
                onMove={(direction) => acts.onMoveAssignment(item, assignment, direction)}
                acts={acts}
              />
            </li>
          ))}
        </ol>
      ) : null}
    </Card>
  );
}

interface AssignmentRowProps {
  assignment: ManagedAssignment;
  isFirst: boolean;
  isLast: boolean;
  onMove: (direction: Direction) => void;
  acts: ContentActs;
}

function AssignmentRow({ assignment, isFirst, isLast, onMove, acts }: AssignmentRowProps) {
  const { title, instructions, assignmentType, isRequired, dueDate, submissions, drafts } = assignment;
  return (
    <Group justify="space-between" align="flex-start" gap="sm">
      <Stack gap={4} flex="1 1 240px" miw={0}>
        <Text fw={600} size="sm">
          {title}
        </Text>
        <Facts
          kind={assignmentTypeNames[assignmentType]}
          isRequired={isRequired}
          others={[
            dueDate ? `Due ${formatDay(dueDate)}` : null,
            submissions > 0 ? `${submissions.toLocaleString('en-US')} handed in` : null,
            drafts > 0 ? counted(drafts, 'draft') : null,
          ]}
        />
        <Spoiler maxHeight={52} showLabel="Show all" hideLabel="Show less">
          <WrittenText>{instructions}</WrittenText>
        </Spoiler>
      </Stack>
      <RowActions
        name={title}
        isFirst={isFirst}
        isLast={isLast}
        onMove={onMove}
        onEdit={() => acts.onEditAssignment(assignment)}
        onDelete={() => acts.onDeleteAssignment(assignment)}
      />
    </Group>
  );
}

function Facts({ kind, isRequired, others }: { kind: string; isRequired: boolean; others: (string | null)[] }) {
  return (
    <Group gap="xs">
      <Badge color="indigo">{kind}</Badge>
      <Badge color="gray">{isRequired ? 'Required' : 'Optional'}</Badge>
      <Text size="sm" c="dimmed">
        {others.filter(Boolean).join(' · ')}
      </Text>
    </Group>
  );
}

/** An old row may hold an address that is not of the web. It is shown as text. */
function Address({ url }: { url: string }): ReactNode {
  if (!isWebAddress(url)) return <Text size="sm">{url}</Text>;
  return (
    <Anchor href={url} target="_blank" rel="noopener noreferrer" size="sm">
      {url} <ExternalLink size={13} aria-hidden style={{ verticalAlign: '-2px' }} />
    </Anchor>
  );
}
