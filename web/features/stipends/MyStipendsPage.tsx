import { Anchor, Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { FileDown } from 'lucide-react';
import { periodWords } from '#contract/pay-periods.ts';
import { exportFormats, exportOwnStipends, printOwnStatement } from '#contract/stipend-exports.ts';
import { listOwnStipendWeeks } from '#contract/stipend-weeks.ts';
import { addressOf } from '../../api/call.ts';
import { pagesFor } from '../../api/query-for.ts';
import { paths } from '../../app/paths.ts';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { StipendHelp } from './StipendHelp.tsx';
import { StipendWeekList } from './StipendWeekList.tsx';

/** What did I earn, what is still to come, and why? */
export function MyStipendsPage() {
  const list = useInfiniteQuery(pagesFor(listOwnStipendWeeks, { query: {} }));
  const rules = list.data?.pages[0]?.rules;
  const payPeriod = list.data?.pages[0]?.rows[0]?.payPeriod ?? 'week';
  const { inTurn, many } = periodWords[payPeriod];
  const isEmpty = list.data?.pages.every(({ rows }) => rows.length === 0) ?? true;
  return (
    <>
      <PageHeader title="My Stipends" lead={`Your pay, ${inTurn}`}>
        {rules ? <StipendHelp rules={rules} payPeriod={payPeriod} /> : null}
        {isEmpty ? null : <Downloads of={many} />}
      </PageHeader>
      <StipendWeekList
        list={list}
        onward={
          <Button component={Link} to={paths.dashboard} variant="default">
            See what happens next
          </Button>
        }
      />
    </>
  );
}

function Downloads({ of }: { of: string }) {
  return (
    <>
      {exportFormats.map((format) => (
        <Anchor
          key={format}
          href={addressOf(exportOwnStipends, { query: { format } })}
          download
          size="sm"
          fw={600}
          py={4}
          aria-label={`All ${of} as ${format.toUpperCase()}`}
        >
          {format.toUpperCase()}
        </Anchor>
      ))}
      <Button
        component="a"
        href={addressOf(printOwnStatement, {})}
        download
        variant="default"
        leftSection={<FileDown size={16} aria-hidden />}
      >
        Statement (PDF)
      </Button>
    </>
  );
}
