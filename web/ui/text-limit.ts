import type { z } from 'zod';
import { counted } from './counted.ts';

/*
 * The limit of a text field stands only in the contract, and fields read it from there.
 * - A line (a name, a title, a code, a mail address) ends at its limit. The field takes no more.
 * - A text of sentences (an answer, a message, notes, a reason) and a web address are never cut. The rest of a pasted
 *   text would be lost without a word, and a cut address would lead elsewhere. `LongText` and `WholeLine` keep all of
 *   it, say by how much it is too long, and their form is not sent.
 * - A password is never cut either, or it would differ from the one that its owner noted. The form says what is wrong.
 */

type FieldOf<Input> = Input extends object ? keyof Input & string : never;

/** The most characters that the schema takes, or that its field takes. */
export function limitOf<Schema extends z.ZodType>(
  schema: Schema | undefined,
  field?: FieldOf<z.input<Schema>>,
): number {
  const limit = longestOf(field === undefined ? schema : fieldOf(schema, field));
  if (limit === null) throw new Error(`The contract has no limit for '${field ?? 'this text'}'.`);
  return limit;
}

/** Says how many characters are too many. Null if the text fits. */
export function surplusInWords(text: string, limit: number): string | null {
  const surplus = text.length - limit;
  return surplus > 0 ? `${charactersInWords(surplus)} too long.` : null;
}

export function charactersInWords(count: number): string {
  return counted(count, 'character');
}

interface Parts {
  shape?: Record<string, z.ZodType>;
  innerType?: z.ZodType;
  valueType?: z.ZodType;
  in?: z.ZodType;
  out?: z.ZodType;
  options?: z.ZodType[];
}

function longestOf(schema: z.ZodType | undefined): number | null {
  if (!schema) return null;
  if ('maxLength' in schema && typeof schema.maxLength === 'number') return schema.maxLength;
  return firstOf(insideOf(schema), longestOf);
}

function fieldOf(schema: z.ZodType | undefined, field: string): z.ZodType | undefined {
  if (!schema) return undefined;
  const { shape } = schema.def as Parts;
  return shape?.[field] ?? firstOf(insideOf(schema), (inner) => fieldOf(inner, field) ?? null) ?? undefined;
}

/** The schemas inside an optional schema, one with a default, a record, one with a transform, or a union. */
function insideOf({ def }: z.ZodType): z.ZodType[] {
  const { innerType, valueType, in: before, out: after, options = [] } = def as Parts;
  return [innerType, valueType, before, after, ...options].filter((inner) => inner !== undefined);
}

function firstOf<Found>(schemas: z.ZodType[], look: (schema: z.ZodType) => Found | null): Found | null {
  for (const schema of schemas) {
    const found = look(schema);
    if (found !== null) return found;
  }
  return null;
}
