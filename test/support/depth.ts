/** `npm run test:deep` runs what only size shows in full. `npm test` runs a smaller size of the same. */
export const isDeep = process.env.TEST_DEPTH === 'deep';

/** The size of what a test takes many of: races, random cases, rows. */
export function sizeOf({ usual, deep }: { usual: number; deep: number }): number {
  return isDeep ? deep : usual;
}
