const list = /\(\$\d+(?:, ?\$\d+)*\)/.source;
const lists = new RegExp(`${list}(?:, ?${list})*`, 'g');
/** What the statement does depends on whether the value is given. */
const optionalChoice = /\$\d+(?:::[\w[\]]+)? is (?:not )?null\b/;

/** A kept plan does not know that the value is the one of the partial index. */
const chosenConflict = /on conflict \([^)]*\) where (?:(?!\bdo\b)[\s\S])*\$\d+/i;

/** A kept plan would have to serve any number of rows. */
const unknownLimit = /\blimit \$\d/;

/**
 * Looks for statements that are no good with a name, by which PostgreSQL plans them once: those whose text differs with
 * how many values they bring, those with a choice that a value switches off, those with a limit as a value, and those that
 * name a partial index by a value (PostgreSQL refuses them once it keeps a plan). Pass the values as one array
 * (`= any(…)`, `unnest(…)`), and leave out a choice that is not made.
 */
export function watchShapes() {
  const known = new Map<string, string>();
  const faults = new Set<string>();
  return {
    see: (statement: string) => {
      const shape = statement.replace(lists, '(…)').replace(/\$\d+/g, '$');
      const earlier = known.get(shape);
      if (earlier === undefined) known.set(shape, statement);
      else if (earlier !== statement) faults.add(`differs with the number of its values: ${short(statement)}`);
      if (chosenConflict.test(statement)) faults.add(`names a partial index by a value: ${short(statement)}`);
      if (unknownLimit.test(statement)) faults.add(`has a limit as a value: ${short(statement)}`);
      if (optionalChoice.test(statement)) faults.add(`has a choice that a value switches off: ${short(statement)}`);
    },
    require: () => {
      const [fault] = faults;
      if (fault) throw new Error(`A statement ${fault}`);
    },
  };
}

function short(statement: string): string {
  return statement.replace(/\s+/g, ' ').slice(0, 300);
}
