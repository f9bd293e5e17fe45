import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { CompiledQuery } from 'kysely';
import { type Role, roles } from '#contract/roles.ts';
import type { Db } from '#server/db/database.ts';
import { presentInstant } from '#server/platform/clock.ts';

type Value = string | number | Date | readonly (string | number)[] | null;
type Values = Record<string, Value>;
/** The values that a statement is built from. */
export type BuiltFrom<Given> = Record<keyof Given, Value>;

interface Statement<Row> {
  compile(db: Db): CompiledQuery<Row>;
}

interface Built {
  text: string;
  /** Fills in the values, in the order in which the text has them. */
  parametersOf: (values: Values) => unknown[];
  isCompared: boolean;
}

/**
 * Builds a statement at its first run, and then only fills in its values (docs/decisions/0098). It is built once more for
 * each choice of values that are null. At the second run it is built as usual and compared, so a statement that depends
 * on a value otherwise is an error. So is a value that came from elsewhere, such as from the clock.
 */
export function builtOnce<Given extends BuiltFrom<Given>, Row>(build: (db: Db, values: Given) => Statement<Row>) {
  const builds = new Map<string, Built>();
  return async (db: Db, values: Given): Promise<Row[]> => {
    const shape = shapeOf(values);
    const known = builds.get(shape);
    const built = known ?? buildWithMarks(db, values, build);
    if (!known) builds.set(shape, built);
    const parameters = built.parametersOf(values);
    if (known && !built.isCompared) {
      const usual = build(db, values).compile(db);
      if (usual.sql !== built.text || !isDeepStrictEqual(usual.parameters, parameters)) {
        throw new Error(`A statement that is built once depends on a value: ${built.text.slice(0, 200)}`);
      }
      built.isCompared = true;
    }
    const { rows } = await db.executeQuery<Row>(CompiledQuery.raw(built.text, parameters));
    return rows;
  };
}

/** As `builtOnce`, for a statement whose text depends on the role of who reads. */
export function builtOnceByRole<Given extends BuiltFrom<Given>, Row>(
  build: (db: Db, role: Role, values: Given) => Statement<Row>,
) {
  const statementOf = ofEachRole((role) => builtOnce((db: Db, values: Given) => build(db, role, values)));
  return (db: Db, role: Role, values: Given): Promise<Row[]> => statementOf(role)(db, values);
}

/** Makes one for each role. */
export function ofEachRole<Made>(make: (role: Role) => Made): (role: Role) => Made {
  const made = new Map(roles.map((role) => [role, make(role)]));
  return (role) => {
    const one = made.get(role);
    if (!one) throw new Error(`No statement is built for ${role}.`);
    return one;
  };
}

function shapeOf(values: Values): string {
  let shape = '';
  for (const name in values) shape += values[name] === null ? '0' : '1';
  return shape;
}

function buildWithMarks<Given extends BuiltFrom<Given>, Row>(
  db: Db,
  values: Given,
  build: (db: Db, values: Given) => Statement<Row>,
): Built {
  const marks = new Map<unknown, string>();
  const marked = Object.entries<Value>(values).map(([name, value], place) => {
    const mark = markFor(value, place);
    if (mark !== null) marks.set(mark, name);
    return [name, mark];
  });
  const { sql: text, parameters } = build(db, Object.fromEntries(marked) as Given).compile(db);
  const fills = parameters.map((parameter) => {
    const name = marks.get(parameter);
    if (name !== undefined) return (given: Values) => given[name];
    if (!isWord(parameter)) throw new Error(`A statement that is built once has a value of its own: ${parameter}`);
    return () => parameter;
  });
  return { text, parametersOf: (given) => fills.map((fill) => fill(given)), isCompared: false };
}

/** A value that nothing else has, of the same type. */
function markFor(value: Value, place: number): Value {
  if (value === null) return null;
  if (typeof value === 'number') return -(2 ** 31) + place;
  if (Array.isArray(value)) return [];
  return typeof value === 'string' ? `mark ${randomUUID()}` : new Date(0);
}

/** What the code itself says, such as a role, or the present instant. An id, a day and a number are none of these. */
function isWord(parameter: unknown): boolean {
  if (typeof parameter === 'string') return !/\d/.test(parameter);
  if (Array.isArray(parameter)) return parameter.every(isWord);
  return parameter === null || typeof parameter === 'boolean' || parameter === presentInstant;
}
