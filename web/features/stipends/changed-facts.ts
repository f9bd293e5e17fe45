import { useState } from 'react';
import { formatCents } from '#contract/money.ts';
import type { StipendRow } from '#contract/stipends.ts';
import { paymentWords } from '../payments/payment-words.ts';

/** The changes in words, by the cell that they belong to. */
export interface ChangedFacts {
  /** Name and email. */
  person: string[];
  criteria: string[];
  amount: string[];
  status: string[];
}

/** Compares each row with its first appearance on this page. The admin's own changes do not count. */
export function useChangedFacts(rows: StipendRow[]): ReadonlyMap<string, ChangedFacts> {
  const [firstSeen] = useState(() => new Map<string, StipendRow>());
  for (const row of rows) if (!firstSeen.has(row.id)) firstSeen.set(row.id, row);
  return new Map(rows.map((row) => [row.id, changedFacts(firstSeen.get(row.id) ?? row, row)]));
}

export function changedFacts(before: StipendRow, now: StipendRow): ChangedFacts {
  const reasons = new Map(now.criteria.map(({ name, reason }) => [name, reason]));
  const criteria = before.criteria
    .filter(({ name, reason }) => reasons.get(name) !== reason)
    .map(({ name, reason }) => `${name} was "${reason}"`);
  const isOtherNote = before.membershipNote !== now.membershipNote;
  const isOtherAmount = before.amountCents !== now.amountCents && !now.own.amount;
  const isOtherDecision = decisionOf(before) !== decisionOf(now) && !now.own.decision;
  return {
    person: [
      ...(before.participantName === now.participantName ? [] : [`the name was ${before.participantName}`]),
      ...(before.participantEmail === now.participantEmail ? [] : [`the email was ${before.participantEmail}`]),
    ],
    criteria: [...criteria, ...(isOtherNote ? [noteInWords(before)] : [])],
    amount: isOtherAmount ? [`it was ${formatCents(before.amountCents)}`] : [],
    status: [...(isOtherDecision ? [`it was ${decisionOf(before)}`] : []), ...approvalOfAmount(before, now)],
  };
}

function noteInWords({ membershipNote }: StipendRow): string {
  return membershipNote ? `it said "${membershipNote}"` : 'the whole week counted';
}

function decisionOf({ paymentStatus, firstApproval }: StipendRow): string {
  if (firstApproval) return `approved by ${firstApproval.byName} only`;
  return paymentWords[paymentStatus].label.toLowerCase();
}

function approvalOfAmount(before: StipendRow, now: StipendRow): string[] {
  if (before.amountAwaitsApproval === now.amountAwaitsApproval) return [];
  if (before.amountAwaitsApproval) return now.own.amountApproval ? [] : ['the amount waited for approval'];
  return now.own.amount ? [] : ['the amount waited for nobody'];
}
