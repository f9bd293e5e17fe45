import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Reader, type Response } from 'mmdb-lib';
import { z } from 'zod';

const tableFile = '@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb';
const Entry = z.object({ country_code: z.string() }).nullable();
const countryNames = new Intl.DisplayNames(['en'], { type: 'region' });
let table: Reader<Response> | null = null;

/** In English, from a table that comes with the product: nobody outside is asked. Null where the table has nothing. */
export function countryOf(address: string): string | null {
  table ??= new Reader(readFileSync(createRequire(import.meta.url).resolve(tableFile)));
  const entry = Entry.parse(table.get(address));
  return entry ? (countryNames.of(entry.country_code) ?? null) : null;
}
