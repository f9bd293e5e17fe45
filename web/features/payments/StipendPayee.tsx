import { Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { renewStipendPayee } from '#contract/payments.ts';
import type { StipendRow } from '#contract/stipends.ts';
import { useAction } from '../../api/use-action.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';

interface Named {
  name: string;
  email: string;
}

/** Names what differs: 'Nadia Ng; now Nadia Nguyen'. */
export function payeeInWords(approved: Named, now: Named): string {
  const differs = (['name', 'email'] as const).filter((fact) => approved[fact] !== now[fact]);
  const inWords = (payee: Named) => differs.map((fact) => payee[fact]).join(', ');
  return `${inWords(approved)}; now ${inWords(now)}`;
}

type PayeeFacts = Pick<
  StipendRow,
  'id' | 'version' | 'payee' | 'participantName' | 'participantEmail' | 'paymentStatus' | 'handover'
> & { can: Pick<StipendRow['can'], 'renewPayee'> };

/** If the person has another name or email than the approved one, shows both and the way to take over the new one. */
export function StipendPayee({ row }: { row: PayeeFacts }) {
  const [isAsked, setAsked] = useState(false);
  const renew = useAction(renewStipendPayee, {
    success: ({ payee }) => ({
      title: 'Name and Email Updated',
      message: `Will be paid as ${payee?.name}, ${payee?.email}.`,
    }),
    failureTitle: 'Update Failed',
    onSuccess: () => setAsked(false),
    onError: () => {
      setAsked(false);
    },
  });
  if (!row.payee?.isOutdated) return null;
  const now = { name: row.participantName, email: row.participantEmail };
  return (
    <Stack gap={6} mt={4} maw={420} align="flex-start">
      <Text size="sm" c={row.can.renewPayee ? 'var(--status-warning)' : 'dimmed'}>
        {standingOf(row)} as {payeeInWords(row.payee, now)}
      </Text>
      {row.can.renewPayee ? (
        <Button
          size="xs"
          variant="default"
          aria-label={`Update name and email for ${row.participantName}`}
          onClick={() => setAsked(true)}
        >
          Update
        </Button>
      ) : null}
      <ConfirmDialog
        isOpen={isAsked}
        title="Update name and email"
        confirmLabel="Use new name and email"
        isRunning={renew.isRunning}
        onConfirm={() => renew.run({ params: { id: row.id }, body: { version: row.version } })}
        onClose={() => setAsked(false)}
      >
        <Stack gap="sm">
          <Text>
            This stipend was approved for {row.payee.name}, {row.payee.email}.
          </Text>
          <Text>
            Pay it to {now.name}, {now.email} instead? Check with the person first: somebody else may have changed it.
          </Text>
        </Stack>
      </ConfirmDialog>
    </Stack>
  );
}

function standingOf({ paymentStatus, handover }: PayeeFacts): string {
  if (paymentStatus === 'paid') return 'Paid';
  return handover === null ? 'Approved' : 'Sent';
}
