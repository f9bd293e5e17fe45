/** These begin a quote or an item, one in another, at the beginning of a line. */
const marker = />|(?:[-*+]|\d{1,9}[.)])(?=[ \t])/g;
const markersOfLine = /^(?:[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])(?=[ \t])))+/gm;
const deepest = 20;
/** An item that lies below others by its indentation. */
const deepIndentation = /^[ \t]{100,}(?:[-*+]|\d{1,9}[.)])[ \t]/m;
/** These may begin or end something. The formatter compares each with those before it. */
const signs = /[*_~[\]]|^[ \t]*(?:[-+=>]|\d{1,9}[.)])/gm;
const mostSigns = 1000;

export const tooIntricate = 'This text has too many quotes, lists or signs inside each other. Please simplify it.';

/** True if a browser can make a page of this Markdown. On other texts it would hang or fail. */
export function canBeFormatted(text: string | null): boolean {
  if (text === null) return true;
  return (
    (text.match(signs)?.length ?? 0) <= mostSigns &&
    !deepIndentation.test(text) &&
    (text.match(markersOfLine) ?? []).every((markers) => (markers.match(marker)?.length ?? 0) <= deepest)
  );
}
