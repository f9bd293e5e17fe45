import type { z } from 'zod';
import type { bulkRecord } from '#contract/documented-functions.ts';
import { newId } from '#server/platform/ids.ts';

export type BulkRecordInput = z.input<typeof bulkRecord>;

/** A valid row of an upload: a participant of the cohort. */
export function bulkRecordFor(cohort: { name: string }, facts: BulkRecordInput = {}): BulkRecordInput {
  return {
    first_name: 'Nadia',
    last_name: 'Ng',
    email: `row-${newId()}@people.example`,
    program: 'fellowship',
    cohort: cohort.name,
    role: 'participant',
    ...facts,
  };
}

export function bulkRecordsFor(cohort: { name: string }, count: number): BulkRecordInput[] {
  return Array.from({ length: count }, () => bulkRecordFor(cohort));
}
