import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { isIP } from 'node:net';
import Bowser from 'bowser';
import type { FastifyRequest } from 'fastify';
import { Reader, type Response } from 'mmdb-lib';
import { z } from 'zod';

export type DeviceKind = 'phone' | 'tablet' | 'computer' | 'program' | 'unknown';

export interface DeviceWords {
  kind: DeviceKind;
  /** For example 'Chrome on Android phone'. */
  name: string;
}

const kinds: Record<string, DeviceKind> = { mobile: 'phone', tablet: 'tablet', desktop: 'computer' };
const longestProgramName = 40;
const longestUserAgent = 300;
const countryTableFile = '@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb';
const CountryEntry = z.object({ country_code: z.string() }).nullable();
const countryNames = new Intl.DisplayNames(['en'], { type: 'region' });
let countryTable: Reader<Response> | null = null;

/**
 * The description that a request gives of its browser or program, as it is kept. Anybody may claim anything, at any
 * length that a header takes.
 */
export function userAgentOf({ headers }: Pick<FastifyRequest, 'headers'>): string | null {
  return headers['user-agent']?.slice(0, longestUserAgent) ?? null;
}

/**
 * The description that a browser or program gives of itself. Anybody may claim anything, so use it only for
 * recognition.
 */
export function describeDevice(userAgent: string | null): DeviceWords {
  const given = userAgent?.trim();
  if (!given) return { kind: 'unknown', name: 'Unknown device' };
  const { browser, os, platform } = Bowser.parse(given);
  if (!browser.name || !os.name) return { kind: 'program', name: `Program ${programName(given)}` };
  // The list that tells classes apart has no class for Chromebooks.
  const kind = kinds[platform.type ?? ''] ?? (os.name === 'Chrome OS' ? 'computer' : 'unknown');
  return { kind, name: `${browser.name} on ${machineName(os.name, platform.model, kind)}` };
}

/** The place of an address, as far as it is known without asking anybody outside (decision 31). */
export function describePlace(address: string | null): string {
  const given = address?.trim().replace(/^::ffff:(?=\d+\.)/i, '') ?? '';
  const version = isIP(given);
  if (version === 0) return 'Place not known';
  if (version === 4 ? given.startsWith('127.') : given === '::1') return 'This computer';
  if (version === 4 ? isPrivateVersion4(given) : /^(f[cd]|fe[89ab])/i.test(given)) return 'Local network';
  const country = countryOf(given);
  return country ? `${country} (${given})` : `Internet address ${given}`;
}

function machineName(system: string, model: string | undefined, kind: DeviceKind): string {
  if (system === 'iOS') return model ?? (kind === 'tablet' ? 'iPad' : 'iPhone');
  if (system === 'macOS') return 'Mac';
  if (system === 'Chrome OS') return 'Chromebook';
  return kind === 'unknown' ? system : `${system} ${kind}`;
}

function programName(userAgent: string): string {
  const name = userAgent.split(/[\s/;(]/)[0] ?? '';
  return name.replace(/[^\w.+-]/g, '').slice(0, longestProgramName) || 'without a name';
}

function isPrivateVersion4(address: string): boolean {
  const [first = 0, second = 0] = address.split('.').map(Number);
  if (first === 10) return true;
  if (first === 172) return second >= 16 && second <= 31;
  return (first === 192 && second === 168) || (first === 169 && second === 254);
}

/**
 * The country in English, from a table that comes with the product, so nobody outside is asked. Null if the table has
 * nothing.
 */
function countryOf(address: string): string | null {
  countryTable ??= new Reader(readFileSync(createRequire(import.meta.url).resolve(countryTableFile)));
  const entry = CountryEntry.parse(countryTable.get(address));
  return entry ? (countryNames.of(entry.country_code) ?? null) : null;
}
