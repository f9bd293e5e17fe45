/**
 * Puts words into a text, and a space where they would touch a word of it. Nothing that is there goes. Returns the place
 * after them, for the cursor.
 */
export function withInserted(text: string, words: string, at: number): { text: string; cursor: number } {
  const [before, after] = [text.slice(0, at), text.slice(at)];
  const gapBefore = before === '' || /\s$/.test(before) ? '' : ' ';
  const gapAfter = after === '' || /^[\s.,;:!?)]/.test(after) ? '' : ' ';
  const start = `${before}${gapBefore}${words}`;
  return { text: `${start}${gapAfter}${after}`, cursor: start.length };
}
