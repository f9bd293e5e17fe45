import { ActionIcon, Button, Group, Text, TextInput } from '@mantine/core';
import { Check, Pencil, X } from 'lucide-react';
import { type FormEvent, useRef, useState } from 'react';
import { formatCents } from '#contract/money.ts';
import { changeStipendAmount, listStipends, readStipend, type StipendRow } from '#contract/stipends.ts';
import { ApiError } from '../../api/api-error.ts';
import { refresh } from '../../api/query-for.ts';
import { useAction } from '../../api/use-action.ts';
import classes from './StipendTable.module.css';

const refreshes = [listStipends, readStipend];

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
    <Button
      ref={opener}
      variant="subtle"
      size="compact-md"
      px={6}
      rightSection={<Pencil size={14} aria-hidden />}
      aria-label={`Change amount of ${row.participantName}, ${formatCents(row.amountCents)}`}
      onClick={() => setIsEditing(true)}
    >
      {formatCents(row.amountCents)}
    </Button>
  );
}

/** Enter saves, Esc leaves the amount as it was. */
function AmountEditor({ row, onClose }: { row: StipendRow; onClose: () => void }) {
  const [typed, setTyped] = useState(String(row.amountCents / 100));
  const [version] = useState(row.version);
  const change = useAction(changeStipendAmount, {
    refreshes,
    success: ({ amountCents }) => ({
      title: 'Amount Updated',
      message: `${row.participantName}: ${formatCents(amountCents)}`,
    }),
    failureTitle: 'Update Failed',
    onSuccess: onClose,
    onError: (error) => {
      if (error instanceof ApiError && error.code === 'stale') onClose();
      void refresh(refreshes);
    },
  });
  const [reason, setReason] = useState('');
  const [isMissing, setMissing] = useState(false);
  const amountField = useRef<HTMLInputElement>(null);
  const reasonField = useRef<HTMLInputElement>(null);
  const amountCents = toCents(typed);
  const refusal = amountCents < 0 ? "An amount can't be negative." : null;
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (refusal) return amountField.current?.focus();
    if (row.needsReason && !reason.trim()) {
      setMissing(true);
      return reasonField.current?.focus();
    }
    change.run({
      params: { id: row.id },
      body: { version, amountCents, ...(row.needsReason ? { reason } : {}) },
    });
  };
  return (
    <form onSubmit={save} noValidate>
      <Group gap={4} className={classes.amount}>
        <TextInput
          ref={amountField}
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
          value={typed}
          error={refusal}
          errorProps={{ role: 'alert' }}
          onFocus={({ currentTarget }) => currentTarget.select()}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          onKeyDown={({ key }) => key === 'Escape' && onClose()}
        />
        {row.needsReason ? (
          <TextInput
            ref={reasonField}
            size="sm"
            w={160}
            required
            maxLength={500}
            label="Reason"
            description={`${formatCents(row.handedCents)} were handed over`}
            error={isMissing ? 'Please say why.' : null}
            errorProps={{ role: 'alert' }}
            value={reason}
            onChange={({ currentTarget }) => {
              setReason(currentTarget.value);
              setMissing(false);
            }}
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
    </form>
  );
}

/** STIP-47: what is not a number counts as 0. */
function toCents(typed: string): number {
  const dollars = Number.parseFloat(typed);
  return Number.isFinite(dollars) ? Math.round(dollars * 100) : 0;
}
