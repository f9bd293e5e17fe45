import type { FastifyInstance } from 'fastify';
import { documentedFault } from './documented-replies.ts';
import type { DocumentedOperation } from './hostile-requests.ts';

export interface Reply {
  status: number;
  headers: Record<string, unknown>;
  payload: string;
}

/** The protocol library writes its refusals itself, as plain text. */
const spokenByLibrary = ['createUpload', 'continueUpload'];

/** A trace of the program, a statement or an address of the machine. */
const insides = [
  /\n\s+at .+[:(]\d+:\d+/,
  /node_modules|\.ts:\d+|file:\/\/\/\w/,
  /syntax error at|violates \w+|relation "|column "|invalid input syntax|deadlock detected/i,
  /\b(select|insert into|delete from)\b.{1,200}\b(from|values|where)\b/is,
  /ECONNREFUSED|ENOENT|EACCES|TypeError|ReferenceError|RangeError|ZodError|PostgresError/,
];

const headersOfAll: Record<string, RegExp> = {
  'x-content-type-options': /^nosniff$/,
  'content-security-policy': /default-src|sandbox/,
};

/** Everything that is wrong with a reply, whatever was asked. */
export function faultsOf(
  http: FastifyInstance,
  { operationId, access, path, statuses }: DocumentedOperation,
  role: string,
  { status, headers, payload }: Reply,
): string[] {
  const type = String(headers['content-type'] ?? '');
  const isOfLibrary = spokenByLibrary.includes(operationId) && status >= 400 && type.startsWith('text/plain');
  const documented = isOfLibrary ? null : documentedFault(http, operationId, { status, type, payload });
  const faults = documented ? [documented] : [];
  if (status >= 500 && !isDocumentedFailure(statuses, status, payload)) faults.push('a fault of the server');
  if (Array.isArray(access) && !access.includes(role) && status < 400) faults.push('an answer to a role that has none');
  for (const [name, form] of Object.entries(headersOfAll)) {
    if (!form.test(String(headers[name] ?? ''))) faults.push(`${name}: ${headers[name]}`);
  }
  const isKept = path.startsWith('/api/') && !/no-store|no-cache|private/.test(String(headers['cache-control'] ?? ''));
  if (isKept) faults.push(`cache-control: ${headers['cache-control']}`);
  if (headers['x-powered-by'] ?? headers.server) faults.push('the name of what runs it');
  if (status >= 400) faults.push(...insides.filter((one) => one.test(payload)).map((one) => `insides: ${one.source}`));
  return faults;
}

/** A service that is not set up, and the status of a server that is not ready. */
function isDocumentedFailure(statuses: number[], status: number, payload: string): boolean {
  if (statuses.includes(status)) return true;
  return status === 503 && (JSON.parse(payload) as { code?: string }).code === 'not_configured';
}
