/** Something measured beside the least that could do it, in the same run on the same data. */
export interface Scenario {
  measured: string;
  baseline: string;
  /** How often each is run; the two take turns. */
  rounds: number;
  /** So many at a time: then what is printed is how many are done in a second, not how long one takes. */
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
}
