import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/**
 * What this process counts since it started. Labels hold only names that the code knows: of endpoints, queues and
 * outcomes. So the number of series is bounded, and none speaks of a person.
 */
export const registry = new Registry();
const registers = [registry];

export const requestsAnswered = new Counter({
  name: 'switchyard_requests_total',
  help: 'Requests that ended, by endpoint and status. left: the connection ended before the answer was whole.',
  labelNames: ['endpoint', 'status'] as const,
  registers,
});
export const requestSeconds = new Histogram({
  name: 'switchyard_request_duration_seconds',
  help: 'How long a request took, by endpoint. Live streams and uploads last as long as they are open.',
  labelNames: ['endpoint'] as const,
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
  registers,
});
export const statementSeconds = new Histogram({
  name: 'switchyard_statement_duration_seconds',
  help: 'How long a statement took until its whole answer was there.',
  buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.25, 1, 8],
  registers,
});
export const statementsFailed = new Counter({
  name: 'switchyard_statements_failed_total',
  help: 'Statements that the database refused or did not answer.',
  registers,
});
export const readsByServer = new Counter({
  name: 'switchyard_replica_reads_total',
  help: 'Reads that may go to the replica, by which of the two answered, and why it was the primary.',
  labelNames: ['server', 'why'] as const,
  registers,
});
export const replicaWaitSeconds = new Histogram({
  name: 'switchyard_replica_wait_seconds',
  help: 'How long a read waited until the replica had what the primary had when the request arrived.',
  buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1],
  registers,
});
export const replicaStates = new Gauge({
  name: 'switchyard_replica_state',
  help: 'Whether the replica is used (1), or else why not.',
  labelNames: ['state'] as const,
  registers,
});
export const jobsRun = new Counter({
  name: 'switchyard_jobs_total',
  help: 'Runs of jobs, by queue and outcome. A failed run is tried again until its queue gives it up.',
  labelNames: ['queue', 'outcome'] as const,
  registers,
});
export const jobSeconds = new Histogram({
  name: 'switchyard_job_duration_seconds',
  help: 'How long a run of a job took.',
  labelNames: ['queue'] as const,
  buckets: [0.01, 0.05, 0.25, 1, 5, 30, 120, 600],
  registers,
});
export const deliveriesTried = new Counter({
  name: 'switchyard_deliveries_total',
  help: 'Emails, pushes and texts by outcome: sent, failed (tried again), given_up, dropped (no longer of use).',
  labelNames: ['channel', 'outcome'] as const,
  registers,
});
export const handoversTried = new Counter({
  name: 'switchyard_handover_tries_total',
  help: 'Tries to hand a batch over to the payment system, by outcome.',
  labelNames: ['outcome'] as const,
  registers,
});
export const signInsRefused = new Counter({
  name: 'switchyard_sign_ins_refused_total',
  help: 'Refused tries to sign in or to confirm who one is.',
  labelNames: ['of', 'way'] as const,
  registers,
});
export const liveStreams = new Gauge({
  name: 'switchyard_live_streams',
  help: 'Open live streams of browsers.',
  registers,
});
export const uploads = new Counter({
  name: 'switchyard_uploads_total',
  help: 'Uploads that began, and that were completed.',
  labelNames: ['step'] as const,
  registers,
});
export const poolConnections = new Gauge({
  name: 'switchyard_database_pool_connections',
  help: 'Connections of the pool: in use and idle.',
  labelNames: ['state'] as const,
  registers,
});
export const poolWaiting = new Gauge({
  name: 'switchyard_database_pool_waiting',
  help: 'Statements and transactions that wait for a connection.',
  registers,
});

export const diskFree = new Gauge({
  name: 'switchyard_disk_free_bytes',
  help: 'What is left on the disk of DATA_DIR.',
  registers,
});
export const diskSize = new Gauge({
  name: 'switchyard_disk_size_bytes',
  help: 'How large the disk of DATA_DIR is.',
  registers,
});

let isCollecting = false;

/** Memory, processor, garbage collection and event loop. Nobody pays for them before somebody asks. */
export function collectProcessMetrics(): void {
  if (isCollecting) return;
  isCollecting = true;
  collectDefaultMetrics({ register: registry });
}
