import { Button, Menu } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { Fragment } from 'react';
import type { InputOf } from '#contract/endpoint.ts';
import { exportFormats, exportStipends } from '#contract/stipend-exports.ts';
import { readStipendWeek } from '#contract/stipends.ts';
import { easternDay } from '#contract/weeks.ts';
import { addressOf } from '../../api/call.ts';
import { queryFor } from '../../api/query-for.ts';

type Query = InputOf<typeof exportStipends>['query'];

interface Choice {
  label: string;
  query: Omit<Query, 'format'>;
}

interface ExportStipendsProps {
  week: number;
  /** The cohort that is shown; without it the documented one. */
  cohort?: string | undefined;
}

/** The week as it stands, a cohort with all its weeks, and what each person had in this year and the one before. */
export function ExportStipends({ week, cohort }: ExportStipendsProps) {
  const shown = useQuery(queryFor(readStipendWeek, { query: { cohort } })).data;
  const year = Number(easternDay(new Date()).slice(0, 4));
  const choices: Choice[] = [
    { label: `Week ${week}`, query: { scope: 'week', week, cohort } },
    ...(shown?.cohortId
      ? [{ label: `${shown.cohortName}, all weeks`, query: { scope: 'cohort' as const, cohort: shown.cohortId } }]
      : []),
    { label: `Totals of ${year}`, query: { scope: 'year', year } },
    { label: `Totals of ${year - 1}`, query: { scope: 'year', year: year - 1 } },
  ];
  return <ExportMenu choices={choices} />;
}

/** All weeks of one person. */
export function ExportPerson({ personId, name }: { personId: string; name: string }) {
  return <ExportMenu choices={[{ label: `${name}, all weeks`, query: { scope: 'person', person: personId } }]} />;
}

function ExportMenu({ choices }: { choices: Choice[] }) {
  return (
    <Menu position="bottom-end" width={280}>
      <Menu.Target>
        <Button variant="default" leftSection={<Download size={16} aria-hidden />}>
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {choices.map(({ label, query }) => (
          <Fragment key={label}>
            {exportFormats.map((format) => (
              <Menu.Item
                key={format}
                component="a"
                href={addressOf(exportStipends, { query: { ...query, format } })}
                download
                style={{ overflowWrap: 'anywhere' }}
              >
                {label} ({format.toUpperCase()})
              </Menu.Item>
            ))}
          </Fragment>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
