import { S3ServiceException } from '@aws-sdk/client-s3';
import type { S3Config } from '#server/config.ts';

/** How long the bucket's server may take, in ms. */
export interface Patience {
  connect: number;
  /** Until its answer begins. */
  answer: number;
  /** Without a byte of a piece or of a file. */
  silence: number;
  attempts: number;
}

/** Somebody waits. Whatever is asked has failed before they have waited ten seconds. */
export const patienceOfPeople: Patience = { connect: 2_000, answer: 3_500, silence: 5_500, attempts: 2 };
/** A command can wait, and an object of many pieces takes long to be put together. */
export const patienceOfCommands: Patience = { connect: 10_000, answer: 5 * 60_000, silence: 60_000, attempts: 5 };

/** What goes wrong is thrown, and whoever asked says so. */
const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
/** A download keeps its connection for as long as it lasts, and must not keep others from theirs. */
const maxSockets = 1_000;

export function clientConfigOf(config: S3Config, { connect, answer, attempts }: Patience) {
  return configWith(config, attempts, {
    connectionTimeout: connect,
    requestTimeout: answer,
    throwOnRequestTimeout: true,
  });
}

/** For what cannot be sent twice. A piece of a file takes as long as it needs while it goes on. */
export function onceConfigOf(config: S3Config, { connect, silence }: Patience) {
  return configWith(config, 1, { connectionTimeout: connect, socketTimeout: silence });
}

function configWith(
  { region, endpoint, accessKeyId, secretAccessKey, forcePathStyle }: S3Config,
  maxAttempts: number,
  limits: object,
) {
  return {
    region,
    credentials: { accessKeyId, secretAccessKey },
    forcePathStyle,
    ...(endpoint ? { endpoint } : {}),
    maxAttempts,
    requestHandler: { ...limits, httpAgent: { maxSockets }, httpsAgent: { maxSockets } },
    logger: silent,
    // A server that does not know the question before a large body would cost seconds for each.
    expectContinueHeader: false,
    // Many storages other than Amazon's do not know the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  } as const;
}

/** True if there is no such object. A server that could not look is another matter. */
export function isNoSuchObject(error: unknown): boolean {
  return error instanceof S3ServiceException && (error.name === 'NoSuchKey' || error.name === 'NotFound');
}

/** Servers differ in what they call an upload that was put together or given up. */
export function isNoSuchUpload(error: unknown): boolean {
  return error instanceof S3ServiceException && (error.name === 'NoSuchUpload' || error.name === 'NoSuchKey');
}
