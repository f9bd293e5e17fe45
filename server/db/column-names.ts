import { type KyselyPlugin, PostgresQueryCompiler, type QueryCompiler, type UnknownRow } from 'kysely';

const snakeCaseNames = new Map<string, string>();
const camelCaseNames = new Map<string, string>();

/** The compiler's own methods, which its types hide. */
interface Writer {
  append(text: string): void;
  appendValue(value: unknown): void;
}

const { append, appendValue } = PostgresQueryCompiler.prototype as unknown as Writer;

/**
 * Writes `createdAt` of the code as `created_at`. Kysely's CamelCasePlugin does it on a copy of the statement's whole
 * tree, which costs as much as to compile it. It also writes a limit as a number. PostgreSQL takes a limit that it does
 * not know for a tenth of all rows, so it would plan a named statement at every run.
 */
export function ourCompiler(): QueryCompiler {
  let isAfterLimit = false;
  return Object.assign(new PostgresQueryCompiler(), {
    sanitizeIdentifier: (name: string) => snakeCaseOf(name).replaceAll('"', '""'),
    append(this: Writer, text: string) {
      isAfterLimit = text.endsWith('limit ');
      append.call(this, text);
    },
    appendValue(this: Writer, value: unknown) {
      if (isAfterLimit && Number.isSafeInteger(value)) this.append(String(value));
      else appendValue.call(this, value);
    },
  });
}

/** Reads `created_at` of the database as `createdAt`, in rows and in the JSON that they hold. */
export const camelCaseResults: KyselyPlugin = {
  transformQuery: ({ node }) => node,
  transformResult: async ({ result }) => ({ ...result, rows: inOurNames(result.rows) }),
};

type Rename = (row: UnknownRow) => UnknownRow;

const renames = new Map<string, Rename>();

/** The rows of one answer have the same names. */
function inOurNames(rows: UnknownRow[]): UnknownRow[] {
  const [first] = rows;
  return first === undefined ? [] : rows.map(renameOf(Object.keys(first)));
}

/**
 * V8 makes an object whose names stand in the code some eighteen times as fast as one that gets sixty names one by one. So
 * there is code for each list of names, made once. The names are those of our own statements, and each is in quotes.
 */
function renameOf(names: string[]): Rename {
  return kept(renames, names.join('\n'), () => {
    const parts = names.map((name) => `${JSON.stringify(camelCaseOf(name))}: withNames(row[${JSON.stringify(name)}])`);
    return new Function('withNames', `return (row) => ({ ${parts.join(', ')} })`)(withNames);
  });
}

/** JSON that is in our names already stays the object that the driver made. */
function inCamelCase(row: UnknownRow): UnknownRow {
  const names = Object.keys(row);
  if (names.every((name) => camelCaseOf(name) === name)) {
    for (const name of names) if (typeof row[name] === 'object') row[name] = withNames(row[name]);
    return row;
  }
  const renamed: UnknownRow = {};
  // A pair for each name and value would take longer than all the rest.
  for (const name of names) renamed[camelCaseOf(name)] = withNames(row[name]);
  return renamed;
}

function withNames(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withNamesOfItem);
  return isRecord(value) ? inCamelCase(value) : value;
}

/** An array within an array stays as it is. */
function withNamesOfItem(item: unknown): unknown {
  return isRecord(item) ? inCamelCase(item) : item;
}

function isRecord(value: unknown): value is UnknownRow {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

export function snakeCaseOf(name: string): string {
  return kept(snakeCaseNames, name, () =>
    name.replace(/[A-Z]+/g, (capitals, at: number) => `${at > 0 ? '_' : ''}${capitals.toLowerCase()}`),
  );
}

/** An underscore is left out, and what follows it is a capital. The first character stays. */
export function camelCaseOf(name: string): string {
  return kept(camelCaseNames, name, () => [...name].map((character, at) => partOf(name, character, at)).join(''));
}

function partOf(name: string, character: string, at: number): string {
  if (at === 0) return character;
  if (character === '_') return '';
  return name[at - 1] === '_' ? character.toUpperCase() : character;
}

/** Keys of stored JSON are names too, so their number has a limit. */
function kept<Made>(names: Map<string, Made>, name: string, make: () => Made): Made {
  const known = names.get(name);
  if (known !== undefined) return known;
  if (names.size >= 10_000) names.clear();
  const made = make();
  names.set(name, made);
  return made;
}
