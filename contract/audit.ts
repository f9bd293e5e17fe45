import { z } from 'zod';
import { Cursor, Day, endpoint, Id, Instant, pageOf, SearchText } from './endpoint.ts';

/** Says whether a person did what an entry says, or the entry is about them. */
export const auditParts = ['by', 'about'] as const;
export const AuditPart = z.enum(auditParts);
export type AuditPart = z.infer<typeof AuditPart>;

const Facts = z.record(z.string(), z.json().register(z.globalRegistry, { id: 'JsonValue' }));

export const AuditEntry = z.object({
  id: Id,
  at: Instant,
  /** It is null if the product itself acted. */
  actor: z.object({ id: Id, name: z.string(), email: z.string() }).nullable(),
  /** `subject.verb`, such as `role_request.approve`. */
  action: z.string(),
  /** The kind of record. It is `person` for every entry about an account. */
  kind: z.string(),
  subjectId: Id,
  /** What the record is called now, or was called while it existed. It is null if nothing says so. */
  subjectName: z.string().nullable(),
  before: Facts.nullable(),
  after: Facts.nullable(),
  reason: z.string().nullable(),
});
export type AuditEntry = z.infer<typeof AuditEntry>;

const Filters = z.object({
  /**
   * Searches the reason, the names and addresses of the people who acted and whom it is about, and the record's title.
   */
  search: SearchText.default(''),
  person: Id.optional(),
  /** Without it, the list has both. */
  part: AuditPart.optional(),
  action: z.string().max(100).optional(),
  kind: z.string().max(100).optional(),
  subject: Id.optional(),
  /** Days of programme time. Both are included. */
  from: Day.optional(),
  to: Day.optional(),
});

export const listAuditLog = endpoint({
  name: 'listAuditLog',
  method: 'GET',
  path: '/api/audit-log',
  access: 'audit.read',
  mayReadReplica: true,
  summary: 'Who did what, when, on whom or what, latest first; with the names of the records that entries speak of.',
  shows: [],
  query: Filters.extend({ cursor: Cursor.optional() }),
  response: pageOf(AuditEntry).extend({
    /** What the ids in `before` and `after` are called, by id. */
    names: z.record(z.string(), z.string()),
  }),
});

export const exportAuditLog = endpoint({
  name: 'exportAuditLog',
  method: 'GET',
  path: '/api/audit-log/export',
  access: 'audit.read',
  takesLong: true,
  binary: { 200: ['text/csv'] },
  summary: 'All entries of the filters as a CSV file, latest first, sent while they are read.',
  query: Filters,
  response: z.string(),
});

export const readAuditChoices = endpoint({
  name: 'readAuditChoices',
  method: 'GET',
  path: '/api/audit-log/choices',
  access: 'audit.read',
  mayReadReplica: true,
  summary: 'The actions and kinds of record that the log has entries of.',
  shows: [],
  response: z.object({ actions: z.array(z.string()), kinds: z.array(z.string()) }),
});

export const listAuditPeople = endpoint({
  name: 'listAuditPeople',
  method: 'GET',
  path: '/api/audit-log/people',
  access: 'audit.read',
  mayReadReplica: true,
  summary: 'People to choose from by name, address or id, at most twenty.',
  shows: ['people'],
  query: z.object({ search: SearchText.default('') }),
  response: z.object({ people: z.array(z.object({ id: Id, name: z.string(), email: z.string() })) }),
});
