import { Button, Card, Group, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ChevronsLeft, Download } from 'lucide-react';
import { useRef } from 'react';
import { exportAuditLog, listAuditLog } from '#contract/audit.ts';
import { addressOf } from '../../api/call.ts';
import { queryFor } from '../../api/query-for.ts';
import { LoadedRows } from '../../ui/Loaded.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { AuditFilters } from './AuditFilters.tsx';
import { AuditTable } from './AuditTable.tsx';
import { useAuditPlace } from './audit-place.ts';

/** Shows one page at a time, because the log only grows and its pages have addresses. */
export function AuditLogPage() {
  const { place, filters, change, turnTo, isFiltered, clear } = useAuditPlace();
  const count = useRef<HTMLParagraphElement>(null);
  const list = useQuery({ ...queryFor(listAuditLog, { query: place }), placeholderData: keepPreviousData });
  const { rows = [], nextCursor = null } = list.data ?? {};
  const turn = (page: string | undefined) => {
    turnTo(page);
    count.current?.focus();
  };
  return (
    <>
      <PageHeader title="Audit Log" lead="Who did what, when, and on whom. Entries are never changed or removed.">
        <Button
          component="a"
          href={addressOf(exportAuditLog, { query: filters })}
          download
          variant="default"
          leftSection={<Download size={16} aria-hidden />}
        >
          Export CSV
        </Button>
      </PageHeader>
      <Stack gap="md">
        <AuditFilters place={place} isFiltered={isFiltered} onChange={change} onClear={clear} />
        <LoadedRows
          list={list}
          failure="The audit log could not be loaded"
          loading={{ label: 'Loading the audit log', rows: 8 }}
          above={() => (
            <Text ref={count} size="sm" c="dimmed" role="status" tabIndex={-1}>
              {rows.length === 1 ? '1 entry' : `${rows.length.toLocaleString('en-US')} entries`}
              {place.cursor ? ' on this page' : nextCursor ? ', the latest' : ''}
            </Text>
          )}
          empty={
            <Card>
              {isFiltered ? (
                <EmptyState title="No entries found" action={<Button onClick={clear}>Clear filters</Button>}>
                  Nothing on record matches these filters.
                </EmptyState>
              ) : (
                <EmptyState title="Nothing is on record yet">
                  Everything that admins and coaches decide, change or delete is listed here.
                </EmptyState>
              )}
            </Card>
          }
        >
          {(rows, { names }) => (
            <AuditTable
              rows={rows}
              names={names}
              onPerson={(person) => change({ person, part: 'by' })}
              onSubject={(subject) => change({ subject })}
            />
          )}
        </LoadedRows>
        {place.cursor || nextCursor ? (
          <Group gap="sm">
            {place.cursor ? (
              <Button
                variant="default"
                leftSection={<ChevronsLeft size={16} aria-hidden />}
                onClick={() => turn(undefined)}
              >
                Latest entries
              </Button>
            ) : null}
            {nextCursor ? (
              <Button variant="default" onClick={() => turn(nextCursor)} loading={list.isPlaceholderData}>
                Older entries
              </Button>
            ) : null}
          </Group>
        ) : null}
      </Stack>
    </>
  );
}
