import { Button } from '@mantine/core';
import { useState } from 'react';
import { formatCents } from '#contract/money.ts';
import { approveStipends, denyStipends, mostDecidedAtOnce, type RefusedStipend } from '#contract/stipend-sets.ts';
import type { StipendRow } from '#contract/stipends.ts';
import { useAction } from '../../api/use-action.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { counted } from '../../ui/counted.ts';
import { ReasonForm } from '../../ui/ReasonForm.tsx';
import { tellOfRefused } from '../../ui/refused.ts';
import { SelectionBar } from '../../ui/SelectionBar.tsx';
import { TypingModal } from '../../ui/TypingModal.tsx';
import { limitOf } from '../../ui/text-limit.ts';

interface ChosenStipendsProps {
  /** The chosen rows that are still open. */
  rows: StipendRow[];
  onClear: () => void;
}

type Act = 'approve' | 'deny';

/** Approves or denies the chosen rows. It asks first, with their number and sum as they were seen. */
export function ChosenStipends({ rows, onClear }: ChosenStipendsProps) {
  const [asked, setAsked] = useState<{ act: Act; rows: StipendRow[] } | null>(null);
  const end = (refused: RefusedStipend[]) => {
    setAsked(null);
    onClear();
    tellOfRefused(
      refused.map(({ participantName, reason }) => ({ name: participantName, reason })),
      'stipend',
    );
  };
  const approve = useAction(approveStipends, {
    success: ({ approved, firstApproved }) =>
      approved + firstApproved > 0 ? { title: 'Stipends Approved', message: inWords(approved, firstApproved) } : null,
    failureTitle: 'Approval Failed',
    onSuccess: ({ refused }) => end(refused),
    onError: () => setAsked(null),
  });
  const deny = useAction(denyStipends, {
    success: ({ denied }) =>
      denied > 0 ? { title: 'Stipends Denied', message: `${counted(denied, 'stipend')} denied.` } : null,
    failureTitle: 'Denial Failed',
    onSuccess: ({ refused }) => end(refused),
  });
  const approvable = rows.filter(({ can }) => can.approve);
  const deniable = rows.filter(({ can }) => can.deny);
  const seen = (asked?.rows ?? []).map(({ id, version }) => ({ id, version }));
  const askFor = (act: Act, open: StipendRow[]) => setAsked({ act, rows: open.slice(0, mostDecidedAtOnce) });
  const inFigures = asked ? figuresOf(asked.rows) : '';
  return (
    <>
      <SelectionBar words={rows.length > 0 ? `${figuresOf(rows)} selected` : ''} onClear={onClear}>
        <Button size="compact-sm" disabled={approvable.length === 0} onClick={() => askFor('approve', approvable)}>
          Approve selected
        </Button>
        <Button
          size="compact-sm"
          variant="default"
          disabled={deniable.length === 0}
          onClick={() => askFor('deny', deniable)}
        >
          Deny selected
        </Button>
      </SelectionBar>
      <ConfirmDialog
        isOpen={asked?.act === 'approve'}
        title="Approve selected stipends"
        confirmLabel={`Approve ${inFigures}`}
        isRunning={approve.isRunning}
        onConfirm={() => approve.run({ body: { rows: seen } })}
        onClose={() => setAsked(null)}
      >
        Approve {inFigures}? Anything that changes before you confirm stays as it is, and we tell you which.
      </ConfirmDialog>
      {asked?.act === 'deny' ? (
        <TypingModal opened onClose={() => setAsked(null)} title="Deny selected stipends">
          <ReasonForm
            maxLength={limitOf(denyStipends.body, 'reason')}
            description={`${counted(asked.rows.length, 'participant')} will read this.`}
            confirmLabel={`Deny ${inFigures}`}
            isDestructive
            isRunning={deny.isRunning}
            onConfirm={(reason) => deny.run({ body: { rows: seen, reason } })}
            onClose={() => setAsked(null)}
          >
            Denied stipends are not paid. This cannot be undone.
          </ReasonForm>
        </TypingModal>
      ) : null}
    </>
  );
}

/** For example '2 stipends, $1,000'. */
function figuresOf(rows: StipendRow[]): string {
  const cents = rows.reduce((sum, { amountCents }) => sum + amountCents, 0);
  return `${counted(rows.length, 'stipend')}, ${formatCents(cents)}`;
}

function inWords(approved: number, firstApproved: number): string {
  const parts = [
    ...(approved > 0 ? [`${counted(approved, 'stipend')} approved`] : []),
    ...(firstApproved > 0 ? [`${firstApproved.toLocaleString('en-US')} wait for a second approver`] : []),
  ];
  return `${parts.join('; ')}.`;
}
