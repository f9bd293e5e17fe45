/** Compares something with the least work that could do it, in the same run on the same data. */
export interface Scenario {
  measured: string;
  baseline: string;
  /** How often each side runs. The two take turns. */
  rounds: number;
  /** The number of concurrent calls. With it, the bench prints how many finish in a second, not how long one takes. */
  atOnce?: number;
  prepare(): Promise<PreparedScenario>;
}

export interface PreparedScenario {
  cases: ComparedCase[];
  close(): Promise<void>;
}

export interface ComparedCase {
  name: string;
  runMeasured(): Promise<void>;
  runBaseline(): Promise<void>;
  /** Runs before each side, outside of what is measured. */
  clear?(): Promise<void>;
}
