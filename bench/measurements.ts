/** Measures one thing and prints it. Returns a sentence if it was asked wrongly. */
export type Measure = (args: string[]) => Promise<string | null>;

/** What `npm run bench -- NAME` measures beside the table and the scenarios. */
export const measurements: Record<string, () => Promise<Measure>> = {
  growth: async () => (await import('./growth.ts')).measureGrowth,
  phone: async () => (await import('./phone.ts')).measurePhone,
  day: async () => (await import('./day.ts')).measureDay,
  start: async () => (await import('./start.ts')).measureStart,
  memory: async () => (await import('./memory.ts')).measureMemory,
  transfers: async () => (await import('./transfers.ts')).measureTransfers,
  'fan-out': async () => (await import('./fan-out.ts')).measureFanOut,
};
