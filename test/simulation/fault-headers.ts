/** By these a request says what becomes of its own answer. */
export const faultHeaders = {
  /** The connection ends in place of the answer. */
  cut: 'x-simulated-cut',
  /** The process dies after so many more statements. */
  killedAfter: 'x-simulated-killed-after',
  /** The next transaction that the process would commit loses its connection instead. */
  commitFails: 'x-simulated-commit-fails',
} as const;
