import { Anchor, Button, Group, Popover, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import type { InputOf } from '#contract/endpoint.ts';
import { exportFormats, exportStipends } from '#contract/stipend-exports.ts';
import { readStipendWeek } from '#contract/stipends.ts';
import { dayAt } from '#contract/weeks.ts';
import { addressOf } from '../../api/call.ts';
import { queryFor } from '../../api/query-for.ts';
import { shownZone } from '../../api/shown-zone.ts';

type Query = InputOf<typeof exportStipends>['query'];

interface Choice {
  label: string;
  query: Omit<Query, 'format'>;
}

interface ExportStipendsProps {
  week: number;
  /** 'Week 5' */
  title: string;
  /** The cohort on the screen. Without it, the server takes the documented one. */
  cohort?: string | undefined;
  /** The id of the words that say why nothing is exported now. */
  heldBackBy?: string | undefined;
}

/** Offers the week as it is now, a cohort with all its weeks, and each person's totals for this year and the last. */
export function ExportStipends({ week, title, cohort, heldBackBy }: ExportStipendsProps) {
  const shown = useQuery(queryFor(readStipendWeek, { query: { cohort } })).data;
  const year = Number(dayAt(new Date(), shownZone()).slice(0, 4));
  const choices: Choice[] = [
    { label: title, query: { scope: 'week', week, cohort } },
    ...(shown?.cohortId
      ? [{ label: `${shown.cohortName}, all weeks`, query: { scope: 'cohort' as const, cohort: shown.cohortId } }]
      : []),
    { label: `Totals of ${year}`, query: { scope: 'year', year } },
    { label: `Totals of ${year - 1}`, query: { scope: 'year', year: year - 1 } },
  ];
  return <ExportMenu choices={choices} heldBackBy={heldBackBy} />;
}

/** Exports all weeks of one person. */
export function ExportPerson({ personId, name }: { personId: string; name: string }) {
  return <ExportMenu choices={[{ label: `${name}, all weeks`, query: { scope: 'person', person: personId } }]} />;
}

function ExportMenu({ choices, heldBackBy }: { choices: Choice[]; heldBackBy?: string | undefined }) {
  const [isOpen, menu] = useDisclosure(false);
  return (
    <Popover
      opened={isOpen}
      onChange={(opened) => (opened ? menu.open() : menu.close())}
      position="bottom-end"
      width={280}
      shadow="md"
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <Button
          variant="default"
          leftSection={<Download size={16} aria-hidden />}
          disabled={heldBackBy !== undefined}
          aria-describedby={heldBackBy}
          onClick={menu.toggle}
        >
          Export
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Export">
        <Stack component="ul" gap="xs" m={0} p={0} style={{ listStyle: 'none' }}>
          {choices.map(({ label, query }) => (
            <Group component="li" key={label} justify="space-between" gap="sm" wrap="nowrap">
              <Text size="sm">{label}</Text>
              <Group gap="sm" wrap="nowrap">
                {exportFormats.map((format) => (
                  <Anchor
                    key={format}
                    href={addressOf(exportStipends, { query: { ...query, format } })}
                    download
                    size="sm"
                    py={4}
                    aria-label={`${label} as ${format.toUpperCase()}`}
                    onClick={menu.close}
                  >
                    {format.toUpperCase()}
                  </Anchor>
                ))}
              </Group>
            </Group>
          ))}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
