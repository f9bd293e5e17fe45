/** An answer that waited longer for the app may be out of date, and the live news since then were not heard. */
const freshForMs = 3_000;
/** Far more than any endpoint takes. Without a limit, a call would wait for ever on a network that died in silence. */
export const answerWithinMs = 60_000;

interface Early {
  answer: Promise<Response>;
  giveUp: AbortController;
  /** Null until it is there. */
  cameAt: number | null;
}
const asked = new Map<string, Early>();

/**
 * Asks for what the app will read, before the app is there. Resolves to what was answered, and to null if it was refused,
 * or nothing came that can be read.
 */
export async function askEarly(path: string): Promise<unknown> {
  const giveUp = new AbortController();
  const answer = fetch(path, {
    credentials: 'same-origin',
    headers: { accept: 'application/json' },
    signal: AbortSignal.any([giveUp.signal, AbortSignal.timeout(answerWithinMs)]),
  });
  const early: Early = { answer, giveUp, cameAt: null };
  asked.set(path, early);
  try {
    const response = await answer;
    early.cameAt = Date.now();
    return response.ok ? await response.clone().json() : null;
  } catch {
    // The call that takes the answer meets this too, and says so to the person.
    return null;
  }
}

/** Gives a fresh answer to the first call that asks for the same. The call gives up the request, too. */
export function takeEarlyAnswer(path: string, givenUp: AbortSignal): Promise<Response> | null {
  const early = asked.get(path);
  asked.delete(path);
  if (!early || (early.cameAt !== null && Date.now() - early.cameAt > freshForMs)) return null;
  givenUp.addEventListener('abort', () => early.giveUp.abort());
  return early.answer;
}

/** Whoever asks later gets an answer of that time. */
export function forgetEarlyAnswers(): void {
  asked.clear();
}
