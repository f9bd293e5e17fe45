import { z } from 'zod';

/** The newest form of a backup that this build knows. */
export const knownFormat = 1;
export const manifestPart = 'manifest.json';

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
/** A part as it lies in the backup: packed, and sealed if the backup is. */
const Part = z.object({ part: z.string().regex(/^[a-z0-9][a-z0-9_./-]*$/), bytes: z.number().int(), sha256 });
export type Part = z.infer<typeof Part>;

/** Stands in clear, so that anybody sees what a backup is without its key. It holds nothing of people. */
export const Manifest = z.object({
  product: z.literal('switchyard'),
  format: z.number().int(),
  version: z.string(),
  /** The moment whose rows it holds. */
  snapshotAt: z.iso.datetime(),
  postgres: z.number().int(),
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })),
  /** The public key that it is sealed for. Null if it lies open. */
  sealedFor: z.string().nullable(),
  /** Tells whether a secret is the one that sealed and signed in this instance. */
  secretCheck: z.string().nullable(),
  ledger: z.object({ lines: z.number().int(), lastHash: z.string() }),
  tables: z.array(Part.extend({ name: z.string(), columns: z.array(z.string()).min(1), rows: z.number().int() })),
  sequences: z.array(z.object({ name: z.string(), lastValue: z.string(), isCalled: z.boolean() })),
  files: z.object({
    count: z.number().int(),
    bytes: z.number().int(),
    /** Files that were already not in the storage when the backup was made. */
    missing: z.number().int(),
    list: Part,
  }),
  secret: Part.nullable(),
});
export type Manifest = z.infer<typeof Manifest>;

/** One line of the list of files. */
export const FileEntry = z.object({
  path: z.string(),
  part: Part.shape.part,
  bytes: z.number().int(),
  /** Of the file itself, not of the part. */
  sha256,
});
export type FileEntry = z.infer<typeof FileEntry>;

/** Throws in words if this is no manifest, or one that this build cannot read. */
export function readManifest(text: string): Manifest {
  const parsed = parseJson(text);
  const { format, version } = z.object({ format: z.number(), version: z.string() }).partial().catch({}).parse(parsed);
  if (format !== undefined && format > knownFormat) {
    throw new Error(`The backup was made by a newer build (${version}): restore it with that build.`);
  }
  const manifest = Manifest.safeParse(parsed);
  if (!manifest.success) throw new Error(`${manifestPart} is damaged.`);
  return manifest.data;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Error(`${manifestPart} is damaged.`, { cause });
  }
}
