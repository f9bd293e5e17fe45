import { Badge } from '@mantine/core';
import { FileText, Presentation, Video } from 'lucide-react';
import type { ResourceType } from '#contract/resources.ts';
import { typeNames } from './resource-words.ts';

const icons = { recording: Video, slide: Presentation, material: FileText } as const;

export function ResourceTypeBadge({ type }: { type: ResourceType }) {
  const Icon = icons[type];
  return (
    <Badge color="gray" leftSection={<Icon size={13} aria-hidden />} miw="max-content">
      {typeNames[type]}
    </Badge>
  );
}
