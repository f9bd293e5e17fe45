import { z } from 'zod';
import { endpoint, Id } from './endpoint.ts';
import { DenialReason, versionBody } from './stipends.ts';

export const mostDecidedAtOnce = 500;

const body = z.object({
  /** The rows in the versions that the admin saw. A row that has changed since is left as it is. */
  rows: z
    .array(versionBody.extend({ id: Id }))
    .min(1, 'Please select at least one stipend')
    .max(mostDecidedAtOnce, `At most ${mostDecidedAtOnce} stipends can be decided at once`),
});

/** The rows that stay as they are, each with the reason. */
export const RefusedStipend = z.object({ id: Id, participantName: z.string(), reason: z.string() });
export type RefusedStipend = z.infer<typeof RefusedStipend>;

export const approveStipends = endpoint({
  name: 'approveStipends',
  method: 'POST',
  path: '/api/stipends/approvals',
  access: 'stipends.manage',
  takesLong: true,
  needsFreshProof: true,
  ownTransactions: true,
  summary:
    'Approves the chosen stipends that are eligible, pending and as they were seen; says of each other one why it stays.',
  body,
  response: z.object({
    approved: z.number().int(),
    /** Counts those of cohorts that need a second approver, who is still to come. */
    firstApproved: z.number().int(),
    refused: z.array(RefusedStipend),
  }),
});

export const denyStipends = endpoint({
  name: 'denyStipends',
  method: 'POST',
  path: '/api/stipends/denials',
  access: 'stipends.manage',
  takesLong: true,
  ownTransactions: true,
  summary:
    'Denies the chosen stipends that are eligible, pending and as they were seen, with one reason that every participant reads; says of each other one why it stays.',
  body: body.extend({ reason: DenialReason }),
  response: z.object({ denied: z.number().int(), refused: z.array(RefusedStipend) }),
});
