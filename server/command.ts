import { type ParseArgsConfig, parseArgs } from 'node:util';

/** Reads the arguments of a command. It answers any that it does not know with how it is used. */
export function argumentsOf<Known extends ParseArgsConfig>(usage: string, known: Known) {
  try {
    return parseArgs({ args: process.argv.slice(2), ...known });
  } catch (cause) {
    throw new Error(usage, { cause });
  }
}

/** The same for a script that reads from top to bottom: it ends here. */
export function argumentsOrEnd<Known extends ParseArgsConfig>(usage: string, known: Known) {
  try {
    return argumentsOf(usage, known);
  } catch (error) {
    return end(error);
  }
}

/** What npm start takes. Its script asks before it builds the app. */
export const startArguments = () =>
  argumentsOrEnd('Usage: npm start [-- --web-only]', { options: { 'web-only': { type: 'boolean', default: false } } });

/** Ends a script with a sentence before it has done anything. */
export function end(error: unknown): never {
  console.error(sentenceOf(error));
  process.exit(2);
}

/** Runs a command. What it cannot do is a sentence without a stack, and an exit code. */
export async function runCommand(work: () => Promise<void> | void, exitCode = 1): Promise<void> {
  try {
    await work();
  } catch (error) {
    console.error(sentenceOf(error));
    process.exitCode = exitCode;
  }
}

/** A connection that fails at several addresses has no words of its own. */
function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message || ('code' in error ? String(error.code) : error.name);
}
