/** For `ilike`: what was typed stands anywhere in the text; % and _ mean themselves. */
export function patternOf(search: string): string {
  return `%${search.trim().replace(/[\\%_]/g, '\\$&')}%`;
}
