import { z } from 'zod';
import { endpoint, Id, Instant } from './endpoint.ts';

export const readMetrics = endpoint({
  name: 'readMetrics',
  method: 'GET',
  path: '/metrics',
  access: 'public',
  readsNoSession: true,
  binary: { 200: ['text/plain'] },
  summary:
    'What the process counts, in the text format of Prometheus. Not found unless the caller is on this machine or sends METRICS_TOKEN as a bearer.',
  response: z.string(),
});

/** Everything that can be wrong with an installation. The list is closed. */
export const findingCodes = [
  'database-away',
  'database-schema',
  'demo-accounts-open',
  'demo-offered',
  'admin-missing',
  'admin-without-second-factor',
  'secret-weak',
  'secret-shared',
  'secret-on-one-machine',
  'secret-other',
  'secret-old-accepted',
  'address-without-https',
  'proxy-not-trusted',
  'mail-not-set-up',
  'neighbor-without-tls',
  'mail-away',
  'payment-system-away',
  'storage-away',
  'sms-away',
  'push-away',
  'clock-off',
  'database-forgets',
  'database-crowded',
  'database-role',
  'database-extensions',
  'replica-unused',
  'disk-full',
  'files-readable',
  'jobs-stand',
  'messages-undelivered',
  'stipends-not-handed-over',
  'ledger-wrong',
  'ledger-unverified',
  'backup-old',
  'files-missing',
  'files-without-owner',
] as const;
export const FindingCode = z.enum(findingCodes);
export type FindingCode = z.infer<typeof FindingCode>;

export const Finding = z.object({
  code: FindingCode,
  severity: z.enum(['warning', 'error']),
  /** One sentence that says what is wrong. */
  problem: z.string(),
  /** One sentence that says what to do. */
  remedy: z.string(),
});
export type Finding = z.infer<typeof Finding>;

const Age = z.number().nonnegative();

export const readStatus = endpoint({
  name: 'readStatus',
  method: 'GET',
  path: '/api/status',
  access: 'status.read',
  summary: 'How this installation is: what is wrong, the database, jobs, storage, the ledger, and who is admin.',
  shows: ['deliveries', 'payments', 'sign-ins', 'people'],
  response: z.object({
    version: z.string(),
    /** When this process started. */
    startedAt: Instant,
    /** Errors first. */
    findings: z.array(Finding),
    /** When the costly looks were last taken. It is null before the first time. */
    inspectedAt: Instant.nullable(),
    database: z.object({
      version: z.string(),
      isEmbedded: z.boolean(),
      bytes: z.number(),
      connections: z.number().int(),
      mostConnections: z.number().int(),
      /** Other servers that follow this one. */
      replicas: z.number().int(),
    }),
    /** Those where something waits or runs. The longest wait comes first. */
    queues: z.array(
      z.object({ name: z.string(), waiting: z.number().int(), running: z.number().int(), oldestSeconds: Age }),
    ),
    givenUp: z.object({ deliveries: z.number().int(), handovers: z.number().int() }),
    storage: z.object({
      kind: z.enum(['folder', 'bucket']),
      /** An estimate of the database. */
      files: z.number().int(),
      /** The disk that holds the data folder. */
      freeBytes: z.number(),
      diskBytes: z.number(),
    }),
    ledger: z
      .object({
        verifiedAt: Instant,
        lines: z.number().int(),
        problems: z.number().int(),
        differences: z.number().int(),
      })
      .nullable(),
    /** The backup that began last. Null if this installation never made one. */
    backup: z
      .object({
        startedAt: Instant,
        /** Null while it is under way. */
        outcome: z.enum(['done', 'failed']).nullable(),
        /** The moment that a restore leads back to. Null before the first whole backup. */
        lastDoneAt: Instant.nullable(),
        bytes: z.number().nullable(),
      })
      .nullable(),
    /** Who is signed in as admin, the latest first, at most twenty. */
    admins: z.array(
      z.object({
        id: Id,
        name: z.string(),
        sessions: z.number().int(),
        signedInAt: Instant,
        hasSecondFactor: z.boolean(),
      }),
    ),
  }),
});
