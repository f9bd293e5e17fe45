import { networkError } from './api-error.ts';

/** After so long without an answer, the person reads that none has come, and can try again. */
export const silenceInMs = 8_000;

/** True if the answer is still missing after so long. */
export function staysSilent(answer: Promise<unknown>, limitInMs: number): Promise<boolean> {
  return new Promise((tell) => {
    const timer = setTimeout(() => tell(true), Math.max(0, limitInMs));
    const end = () => {
      clearTimeout(timer);
      tell(false);
    };
    answer.then(end, end);
  });
}

/** Loads a part of the app. Throws if it does not come in time, or if there is no network. */
export async function partInTime<Part>(load: () => Promise<Part>): Promise<Part> {
  const part = load();
  if (await staysSilent(part, silenceInMs)) throw networkError();
  return part.catch((error: unknown) => {
    throw navigator.onLine ? error : networkError();
  });
}
