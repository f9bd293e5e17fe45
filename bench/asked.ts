import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';

/** Reads a measurement's own options. A word that it does not know, or a place that it does not take, is refused. */
export function readOptions<T extends ParseArgsOptionsConfig>(args: string[], options: T) {
  return parseArgs({ args, options, allowPositionals: false }).values;
}

/** Returns the whole number that this text is, or null if it is none or below the least. */
export function wholeNumber(text: string, least = 1): number | null {
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  return number >= least ? number : null;
}

/** Runs what reads its own arguments. If they cannot be read, returns a sentence that says so. */
export async function orRefusal(run: () => Promise<string | null>): Promise<string | null> {
  try {
    return await run();
  } catch (error) {
    const isAboutArguments = error instanceof Error && 'code' in error && /^ERR_PARSE_ARGS_/.test(String(error.code));
    if (!isAboutArguments) throw error;
    return `${error.message.split(/\n|\. /)[0]?.replace(/\.$/, '')}.`;
  }
}
