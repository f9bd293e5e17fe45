/** `npm run test:deep` asks in full what only size shows; a run of all tests asks less of the same. */
export const isDeep = process.env.TEST_DEPTH === 'deep';

/** How many there are of what a test takes many of: of races, random cases, rows. */
export function sizeOf({ usual, deep }: { usual: number; deep: number }): number {
  return isDeep ? deep : usual;
}
