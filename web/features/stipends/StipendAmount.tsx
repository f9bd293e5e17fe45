import { ActionIcon, Group, Text, TextInput, UnstyledButton } from '@mantine/core';
import { Check, X } from 'lucide-react';
import { useRef, useState } from 'react';
import { z } from 'zod';
import { formatCents } from '#contract/money.ts';
import { periodName, startOfSentence } from '#contract/pay-periods.ts';
import { isAmountUnusual } from '#contract/stipend-rules.ts';
import { changeStipendAmount, type StipendRow } from '#contract/stipends.ts';
import { ApiError } from '../../api/api-error.ts';
import { useAction } from '../../api/use-action.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { WholeLine } from '../../ui/LongText.tsx';
import { markImage } from '../../ui/marks.ts';
import { limitOf } from '../../ui/text-limit.ts';
import { useForm, written } from '../../ui/use-form.ts';
import { dollarsInWords } from './dollars-in-words.ts';
import classes from './StipendTable.module.css';

/** STIP-45 to STIP-48 */
export function StipendAmount({ row }: { row: StipendRow }) {
  const [isEditing, setIsEditing] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const close = () => {
    setIsEditing(false);
    requestAnimationFrame(() => opener.current?.focus());
  };
  if (isEditing) return <AmountEditor row={row} onClose={close} />;
  if (!row.can.changeAmount) return <Text>{formatCents(row.amountCents)}</Text>;
  return (
    <UnstyledButton
      ref={opener}
      className={classes.figure}
      style={{ '--mark': markImage('pencil') }}
      aria-label={`Change amount of ${row.participantName}, ${formatCents(row.amountCents)}`}
      onClick={() => setIsEditing(true)}
    >
      {formatCents(row.amountCents)}
    </UnstyledButton>
  );
}

/** Enter saves, Esc leaves the amount as it was. */
function AmountEditor({ row, onClose }: { row: StipendRow; onClose: () => void }) {
  const form = useForm({ amount: String(row.amountCents / 100), reason: '' });
  /** The row that the admin saw. If it changed meanwhile, it is shown before the typed amount is saved over it. */
  const [seen, setSeen] = useState(row);
  const [hasChanged, setChanged] = useState(false);
  const [isAsked, setAsked] = useState(false);
  const change = useAction(changeStipendAmount, {
    success: ({ amountCents }) => ({
      title: 'Amount Updated',
      message: `${row.participantName}: ${formatCents(amountCents)}`,
    }),
    failureTitle: 'Update Failed',
    onSuccess: onClose,
    onError: (error) => {
      setAsked(false);
      if (error instanceof ApiError && error.code === 'stale') setChanged(true);
    },
  });
  if (hasChanged && seen.version !== row.version) setSeen(row);
  const { version } = seen;
  const amountCents = toCents(form.draft.amount);
  const refusal = amountCents < 0 ? 'An amount cannot be negative.' : null;
  const schema = z.object({
    amount: z.string().refine(() => refusal === null, refusal ?? ''),
    // It is asked for once the amount can be saved.
    reason: row.needsReason && refusal === null ? written('Please say why.') : z.string(),
  });
  const save = () => {
    if (isAmountUnusual(amountCents, row.ruleAmountCents) && amountCents !== row.amountCents) return setAsked(true);
    store();
  };
  const store = () =>
    change.run({
      params: { id: row.id },
      body: { version, amountCents, ...(row.needsReason ? { reason: form.draft.reason } : {}) },
    });
  return (
    <form onSubmit={form.submit(schema, save)} noValidate>
      <Group gap={4} className={classes.amount}>
        <TextInput
          type="number"
          min={0}
          step={50}
          inputMode="decimal"
          size="sm"
          w={104}
          leftSection="$"
          aria-label={`Amount of ${row.participantName} in dollars`}
          data-autofocus
          autoFocus
          {...form.field('amount')}
          error={refusal}
          errorProps={{ role: 'alert' }}
          onFocus={({ currentTarget }) => currentTarget.select()}
          onKeyDown={({ key }) => key === 'Escape' && onClose()}
        />
        {row.needsReason ? (
          <WholeLine
            size="sm"
            w={160}
            required
            maxLength={limitOf(changeStipendAmount.body, 'reason')}
            label="Reason"
            description={`${formatCents(row.handedCents)} were handed over`}
            errorProps={{ role: 'alert' }}
            {...form.field('reason')}
            onKeyDown={({ key }) => key === 'Escape' && onClose()}
          />
        ) : null}
        <ActionIcon type="submit" size={36} variant="filled" aria-label="Save amount" loading={change.isRunning}>
          <Check size={16} aria-hidden />
        </ActionIcon>
        <ActionIcon size={36} variant="default" aria-label="Keep the amount" onClick={onClose}>
          <X size={16} aria-hidden />
        </ActionIcon>
      </Group>
      {hasChanged ? (
        <Text role="alert" size="sm" fw={550} c="var(--status-warning)" mt={4}>
          This row changed while you typed. It is {formatCents(row.amountCents)} now. Save again to set{' '}
          {formatCents(amountCents)}.
        </Text>
      ) : null}
      <ConfirmDialog
        isOpen={isAsked}
        title={`Amount of ${row.participantName}`}
        confirmLabel={`Set ${formatCents(amountCents)}`}
        isRunning={change.isRunning}
        onConfirm={store}
        onClose={() => setAsked(false)}
      >
        Set the stipend of {startOfSentence(periodName(row))} to {formatCents(amountCents)}:{' '}
        <b>{dollarsInWords(amountCents)}</b>? That is more than twice the usual {formatCents(row.ruleAmountCents)}, so
        another admin has to approve it before it is paid.
      </ConfirmDialog>
    </form>
  );
}

/** STIP-47: input that is not a number counts as 0. */
function toCents(typed: string): number {
  const dollars = Number.parseFloat(typed);
  return Number.isFinite(dollars) ? Math.round(dollars * 100) : 0;
}
