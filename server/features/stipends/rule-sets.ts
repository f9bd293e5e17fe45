import { sql } from 'kysely';
import { RuleSet } from '#contract/stipend-rules.ts';
import type { Db } from '#server/db/database.ts';

/** Published rules never change, so a process reads each once. */
const published = new Map<string, RuleSet>();

/** Reads those that this process has not read before, in at most one statement. The answer finds each by its id. */
export async function loadRuleSets(db: Db, ids: ReadonlySet<string>): Promise<(id: string) => RuleSet> {
  const unknown = [...ids].filter((id) => !published.has(id));
  if (unknown.length > 0) {
    const rows = await db
      .selectFrom('ruleSets')
      .select(['id', 'rules'])
      .where('id', '=', sql<string>`any(${unknown}::uuid[])`)
      .where('publishedAt', 'is not', null)
      .execute();
    for (const { id, rules } of rows) published.set(id, RuleSet.parse(rules));
  }
  return (id) => {
    const rules = published.get(id);
    if (!rules) throw new Error(`The rules ${id} are not published.`);
    return rules;
  };
}
