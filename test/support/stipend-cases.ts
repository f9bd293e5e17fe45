import { notCounted, type WeekFacts } from '#contract/stipend-facts.ts';

export interface StipendCase {
  name: string;
  facts: WeekFacts;
  isMet: { attendance: boolean; assignments: boolean; performance: boolean };
}

/** The rule of a stipend week by examples. The tests try both contract and database with each of them. */
export const stipendCases: StipendCase[] = [
  { name: 'exactly 80 %, all handed in, 3.0', facts: facts(5, 4, 2, 2, 3), isMet: met() },
  { name: 'everything', facts: facts(5, 5, 2, 2, 5), isMet: met() },
  { name: '80.0 % of many', facts: facts(1000, 800, 0, 0, 3), isMet: met() },
  { name: '79.9 %', facts: facts(1000, 799, 0, 0, 3), isMet: met({ attendance: false }) },
  { name: '60 %', facts: facts(5, 3, 2, 2, 3), isMet: met({ attendance: false }) },
  { name: 'no activities', facts: facts(0, 0, 0, 0, 3.5), isMet: met() },
  { name: 'one activity, not attended', facts: facts(1, 0, 0, 0, 3), isMet: met({ attendance: false }) },
  { name: 'one assignment missing', facts: facts(1, 1, 2, 1, 4), isMet: met({ assignments: false }) },
  { name: 'no assignment handed in', facts: facts(1, 1, 1, 0, 5), isMet: met({ assignments: false }) },
  { name: 'no assignments', facts: facts(3, 3, 0, 0, 3), isMet: met() },
  { name: 'rated 2.5', facts: facts(5, 5, 1, 1, 2.5), isMet: met({ performance: false }) },
  { name: 'not rated', facts: facts(5, 5, 1, 1, null), isMet: met({ performance: false }) },
  {
    name: 'nothing of all',
    facts: facts(5, 0, 2, 0, 1),
    isMet: { attendance: false, assignments: false, performance: false },
  },
];

function facts(
  activitiesTotal: number,
  activitiesAccessed: number,
  assignmentsTotal: number,
  assignmentsSubmitted: number,
  rating: number | null,
): WeekFacts {
  const assignmentsUntouched = assignmentsTotal - assignmentsSubmitted;
  const counts = { activitiesTotal, activitiesAccessed, assignmentsTotal, assignmentsSubmitted, assignmentsUntouched };
  return { ...notCounted, ...counts, rating };
}

function met(except: Partial<StipendCase['isMet']> = {}): StipendCase['isMet'] {
  return { attendance: true, assignments: true, performance: true, ...except };
}
