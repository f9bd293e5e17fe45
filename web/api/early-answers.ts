const asked = new Map<string, Promise<Response>>();

/**
 * Asks for what the app will read, before the app is there. Resolves to the text of an accepted answer, and to null if
 * it was refused or none came.
 */
export async function askEarly(path: string): Promise<string | null> {
  const answer = fetch(path, { credentials: 'same-origin', headers: { accept: 'application/json' } });
  asked.set(path, answer);
  try {
    const response = await answer;
    return response.ok ? await response.clone().text() : null;
  } catch (error) {
    // The call that takes the answer says so to the person.
    if (error instanceof TypeError) return null;
    throw error;
  }
}

/** Gives an answer to the first call that asks for the same. */
export function takeEarlyAnswer(path: string): Promise<Response> | undefined {
  const answer = asked.get(path);
  asked.delete(path);
  return answer;
}

/** Whoever asks later gets an answer of that time. */
export function forgetEarlyAnswers(): void {
  asked.clear();
}
