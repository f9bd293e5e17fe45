/**
 * What an earlier version may still read or write without. While a rolling restart replaces it, both versions use one
 * database.
 */
const takesAway: [what: RegExp, why: string][] = [
  [
    /^drop\s+(table|view|materialized\s+view|function|procedure|type|domain|sequence|schema|extension)\b/,
    'drops what an earlier version may use',
  ],
  [
    /^alter\s+table\b.*\bdrop\s+(column\s+)?(?!(constraint|default|not|expression|identity|if\b)\b)\w+/,
    'drops a column',
  ],
  [/^alter\s+table\b.*\bdrop\s+column\b/, 'drops a column'],
  [/^alter\b.*\brename\b/, 'renames what an earlier version names otherwise'],
  [/^alter\s+table\b.*\balter\s+(column\s+)?\w+\s+(set\s+data\s+)?type\b/, 'changes the type of a column'],
  [
    /^alter\s+table\b.*\balter\s+(column\s+)?\w+\s+set\s+not\s+null\b/,
    'requires what an earlier version may leave out',
  ],
  [/^alter\s+table\b.*\balter\s+(column\s+)?\w+\s+drop\s+default\b/, 'requires what an earlier version may leave out'],
  [/^truncate\b/, 'deletes every row of a table'],
];
const mark = /--\s*not additive: \S.{9,}/;

/**
 * One sentence for each statement that takes something away and has no mark: a comment above it or in it,
 * `-- not additive: why no running version needs it`.
 */
export function findTakenAway(migration: string): string[] {
  return statementsOf(migration).flatMap((statement) => {
    if (mark.test(statement)) return [];
    const bare = bareTextOf(statement);
    const why = takesAway.find(([what]) => what.test(bare))?.[1] ?? missingDefault(bare);
    return why ? [`"${bare.slice(0, 80)}" ${why}. Mark it with a reason if none does.`] : [];
  });
}

function missingDefault(bare: string): string | null {
  if (!bare.startsWith('alter table')) return null;
  const added = bare.split(',').filter((part) => /\badd\s+(column\s+)?(?!constraint\b)\w+/.test(part));
  const isRequired = added.some((part) => /\bnot\s+null\b/.test(part) && !/\b(default|generated)\b/.test(part));
  return isRequired ? 'requires a new column that an earlier version does not write' : null;
}

/** Splits at semicolons, except those within quotes, functions and comments. A comment belongs to what follows it. */
function statementsOf(sql: string): string[] {
  const pieces =
    sql.match(/--[^\n]*|\/\*[\s\S]*?\*\/|\$(\w*)\$[\s\S]*?\$\1\$|'(?:[^']|'')*'|"[^"]*"|;|[^;'"$/-]+|./g) ?? [];
  const statements = [''];
  for (const piece of pieces) {
    if (piece === ';') statements.push('');
    else statements[statements.length - 1] += piece;
  }
  return statements.filter((statement) => statement.trim() !== '');
}

function bareTextOf(statement: string): string {
  return statement
    .replaceAll(/--[^\n]*|\/\*[\s\S]*?\*\//g, ' ')
    .replaceAll(/'(?:[^']|'')*'/g, "''")
    .replaceAll(/\s+/g, ' ')
    .trim()
    .toLowerCase();
}
