import { createHash } from 'node:crypto';
import type pg from 'pg';

/** A table, view, function or extension, with the parts of its definition in any order. */
type Part = { object: string; fact: string };

/**
 * One line per object of the schemas public and auth: the hash of its definition, and its name. Two databases with the
 * same lines hold the same rules. Four things make no difference: the order of columns, the wording of comments inside
 * functions, line breaks, and whether a new check was made on the rows that existed.
 */
export async function fingerprintSchema(pool: pg.Pool): Promise<string[]> {
  const parts: Part[] = [];
  for (const query of queries) parts.push(...(await pool.query<Part>(query)).rows);
  return [...Map.groupBy(parts, ({ object }) => object)]
    .map(([object, found]) => `${hashOf(found)} ${object}`)
    .toSorted((one, other) => (one.slice(17) < other.slice(17) ? -1 : 1));
}

function hashOf(parts: Part[]): string {
  const facts = parts.map(({ fact }) => normalized(fact)).toSorted();
  return createHash('sha256').update(facts.join('\n')).digest('hex').slice(0, 16);
}

function normalized(fact: string): string {
  return fact
    .replaceAll(/^\s*--.*$/gm, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ NOT VALID$/g, '')
    .trim();
}

const ours = `n.nspname in ('public', 'auth')
  and not exists (select from pg_depend d where d.objid = OID and d.deptype = 'e')`;
const relation = `case c.relkind when 'v' then 'view ' when 'S' then 'sequence ' else 'table ' end
  || n.nspname || '.' || c.relname`;
const relations = `pg_class c join pg_namespace n on n.oid = c.relnamespace`;
const ourRelations = `${ours.replace('OID', 'c.oid')} and c.relkind in ('r', 'v', 'S') and c.relname <> 'schema_migrations'`;
/** Rights by grantee. The owner's name differs from server to server. */
const rights = (acl: string, owner: string) => `(
  select string_agg(concat_ws(' ', case when grantee = ${owner} then 'owner' when grantee = 0 then 'public'
    else grantee::regrole::text end, privilege_type, is_grantable), ', ' order by grantee = ${owner}, privilege_type)
  from aclexplode(${acl}))`;

const queries = [
  `select ${relation} as object, concat_ws(' ', 'relation', c.relpersistence, c.relrowsecurity, c.reloptions::text,
      ${rights('c.relacl', 'c.relowner')}) as fact
    from ${relations} where ${ourRelations}`,
  `select ${relation} as object, concat_ws(' ', 'column', a.attname, format_type(a.atttypid, a.atttypmod),
      case when a.attnotnull then 'not null' end, 'identity' || nullif(a.attidentity::text, ''),
      case a.attgenerated when 's' then 'generated' when '' then 'default' end
        || ' ' || pg_get_expr(d.adbin, d.adrelid), 'collation ' || nullif(a.attcollation, t.typcollation)::regcollation,
      ${rights('a.attacl', 'c.relowner')}) as fact
    from ${relations} join pg_attribute a on a.attrelid = c.oid join pg_type t on t.oid = a.atttypid
    left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    where ${ourRelations} and c.relkind <> 'S' and a.attnum > 0 and not a.attisdropped`,
  // Since PostgreSQL 18, not null is also a constraint. On every version, the column says it.
  `select ${relation} as object, concat_ws(' ', 'constraint', k.conname, pg_get_constraintdef(k.oid)) as fact
    from ${relations} join pg_constraint k on k.conrelid = c.oid where ${ourRelations} and k.contype <> 'n'`,
  `select ${relation} as object, concat_ws(' ', 'index', pg_get_indexdef(i.indexrelid), i.indisvalid) as fact
    from ${relations} join pg_index i on i.indrelid = c.oid where ${ourRelations}`,
  `select ${relation} as object, concat_ws(' ', 'trigger', t.tgenabled, pg_get_triggerdef(t.oid)) as fact
    from ${relations} join pg_trigger t on t.tgrelid = c.oid where ${ourRelations} and not t.tgisinternal`,
  `select ${relation} as object, 'view ' || pg_get_viewdef(c.oid) as fact
    from ${relations} where ${ourRelations} and c.relkind = 'v'`,
  `select ${relation} as object, concat_ws(' ', 'sequence', s.seqtypid::regtype, s.seqstart, s.seqincrement, s.seqmax,
      s.seqmin, s.seqcache, s.seqcycle) as fact
    from ${relations} join pg_sequence s on s.seqrelid = c.oid where ${ourRelations}`,
  `select ${relation} as object, concat_ws(' ', 'comment', k.objsubid, k.description) as fact
    from ${relations} join pg_description k on k.objoid = c.oid and k.classoid = 'pg_class'::regclass where ${ourRelations}`,
  `select 'function ' || p.oid::regprocedure as object, pg_get_functiondef(p.oid) as fact
    from pg_proc p join pg_namespace n on n.oid = p.pronamespace where ${ours.replace('OID', 'p.oid')}`,
  `select 'function ' || p.oid::regprocedure as object, 'rights ' || ${rights('p.proacl', 'p.proowner')} as fact
    from pg_proc p join pg_namespace n on n.oid = p.pronamespace where ${ours.replace('OID', 'p.oid')} and p.proacl is not null`,
  `select 'type ' || n.nspname || '.' || t.typname as object, t.typtype::text as fact
    from pg_type t join pg_namespace n on n.oid = t.typnamespace
    where ${ours.replace('OID', 't.oid')} and t.typtype in ('e', 'd', 'r')`,
  `select 'extension ' || extname as object, 'installed' as fact from pg_extension where extname <> 'plpgsql'`,
  `select 'schema ' || n.nspname as object, 'rights ' || coalesce(${rights('n.nspacl', 'n.nspowner')}, '') as fact
    from pg_namespace n where n.nspname = 'auth'`,
];
