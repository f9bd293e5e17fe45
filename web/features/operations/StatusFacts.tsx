import { Anchor, Card, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useId } from 'react';
import type { ResponseOf } from '#contract/endpoint.ts';
import type { readStatus } from '#contract/operations.ts';
import { paths } from '../../app/paths.ts';
import { formatBytes } from '../../ui/bytes.ts';
import { counted } from '../../ui/counted.ts';
import { DateTime } from '../../ui/DateTime.tsx';
import wrapping from '../../ui/wrapping.module.css';

type Status = ResponseOf<typeof readStatus>;

/** What it runs on, in four parts. */
export function StatusFacts({ status }: { status: Status }) {
  const { database, storage, ledger, givenUp, backup } = status;
  return (
    <SimpleGrid cols={{ base: 1, sm: 2, lg: 4 }} spacing="md">
      <Part title="Switchyard">
        <Fact name="Version">{status.version}</Fact>
        <Fact name="Running since">
          <DateTime value={status.startedAt} />
        </Fact>
      </Part>
      <Part title="Database">
        <Fact name="Version">
          PostgreSQL {database.version}
          {database.isEmbedded ? ', part of Switchyard' : ''}
        </Fact>
        <Fact name="Size">{formatBytes(database.bytes)}</Fact>
        <Fact name="Connections">
          {database.connections.toLocaleString('en-US')} of {database.mostConnections.toLocaleString('en-US')}
        </Fact>
        <Fact name="Replicas">{database.replicas === 0 ? 'None' : database.replicas}</Fact>
      </Part>
      <Part title="Storage">
        <Fact name="Uploads">
          {storage.files === 0 ? 'Few or none' : `About ${counted(storage.files, 'file')}`}, in{' '}
          {storage.kind === 'bucket' ? 'a bucket' : 'a folder'}
        </Fact>
        <Fact name="Disk">
          {formatBytes(storage.freeBytes)} free of {formatBytes(storage.diskBytes)}
        </Fact>
        <Fact name="Last backup">{backupInWords(backup)}</Fact>
      </Part>
      <Part title="Money and messages">
        <Fact name="Ledger">{ledgerInWords(ledger)}</Fact>
        <Fact name="Given up">
          <Given to={givenUp.deliveries > 0 && paths.deliveries}>{counted(givenUp.deliveries, 'message')}</Given>
          <Given to={givenUp.handovers > 0 && `${paths.stipendManagement}?tab=reconciliation`}>
            {counted(givenUp.handovers, 'batch of stipends', 'batches of stipends')}
          </Given>
        </Fact>
      </Part>
    </SimpleGrid>
  );
}

/** It leads to the list, if there is anything in it. */
function Given({ to, children }: { to: string | false; children: ReactNode }) {
  if (!to) return <div>{children}</div>;
  return (
    <Anchor component={Link} to={to} size="sm" py={4} my={2} display="block" w="fit-content">
      {children}
    </Anchor>
  );
}

function backupInWords(backup: Status['backup']): ReactNode {
  if (!backup?.lastDoneAt) return backup ? 'None yet: the last one is not whole' : 'None yet';
  return (
    <>
      <DateTime value={backup.lastDoneAt} />
      {backup.outcome === 'failed' ? '. The one after it failed.' : null}
    </>
  );
}

function ledgerInWords(ledger: Status['ledger']): ReactNode {
  if (!ledger) return 'Not verified yet';
  const found = ledger.problems === 0 ? 'No problems' : counted(ledger.problems, 'problem');
  return (
    <>
      {found} in {counted(ledger.lines, 'line')}, verified <DateTime value={ledger.verifiedAt} />
    </>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <Card component="section" aria-labelledby={id}>
      <Title order={2} id={id} mb="sm">
        {title}
      </Title>
      <Stack component="dl" gap="sm" m={0} className={wrapping.wholeWords}>
        {children}
      </Stack>
    </Card>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <Text component="dt" size="sm" c="dimmed">
        {name}
      </Text>
      <Text component="dd" m={0} size="sm">
        {children}
      </Text>
    </div>
  );
}
