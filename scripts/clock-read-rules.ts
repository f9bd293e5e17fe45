/** Finds where a source asks the machine for the time by itself: `new Date()` without an argument, and `Date.now()`. */
export function findClockReads(source: string): string[] {
  const code = source.replaceAll(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*$/gm, (comment) => comment.replaceAll(/[^\n]/g, ''));
  return [...code.matchAll(/\bnew Date\b(?!\w|\s*\(\s*[^\s)])(\s*\(\s*\))?|(?<![\w.])Date\.now\b/g)].map(
    ({ 0: read, index }) => `${code.slice(0, index).split('\n').length}: ${read}`,
  );
}
