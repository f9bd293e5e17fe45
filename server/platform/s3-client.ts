import { S3ServiceException } from '@aws-sdk/client-s3';
import type { S3Config } from '#server/config.ts';

/** How long the bucket's server may take, in ms. */
interface Patience {
  connect: number;
  /** Until its answer begins. */
  answer?: number;
  /** Without a byte in either direction. */
  silence?: number;
  attempts: number;
}

/** Somebody waits. A question has failed before they have waited ten seconds. */
export const patienceOfPeople: Patience = { connect: 2_000, answer: 4_000, attempts: 2 };
/** Somebody waits, and a piece of a file takes as long as it needs while it goes on. It is sent from a stream, so once. */
export const patienceOfPieces: Patience = { connect: 2_000, silence: 5_500, attempts: 1 };
/** A command can wait, and an object of many pieces takes long to be put together. */
export const patienceOfCommands: Patience = { connect: 10_000, answer: 5 * 60_000, attempts: 5 };

/** A download keeps its connection for as long as it lasts, and must not keep others from theirs. */
const maxSockets = 1_000;

export function clientConfigOf(
  { region, endpoint, accessKeyId, secretAccessKey, forcePathStyle }: S3Config,
  { connect, answer, silence, attempts }: Patience,
) {
  return {
    region,
    credentials: { accessKeyId, secretAccessKey },
    forcePathStyle,
    ...(endpoint ? { endpoint } : {}),
    maxAttempts: attempts,
    requestHandler: {
      connectionTimeout: connect,
      requestTimeout: answer,
      throwOnRequestTimeout: true,
      socketTimeout: silence,
      httpAgent: { maxSockets },
      httpsAgent: { maxSockets },
    },
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
