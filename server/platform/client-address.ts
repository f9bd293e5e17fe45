import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';

const header = 'x-forwarded-for';

/** One address or one range in CIDR notation, as 10.0.0.7 or 10.0.0.0/8. A range of every address is none. */
export function isAddressOrRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  if (bits === undefined) return true;
  return /^\d{1,3}$/.test(bits) && Number(bits) > 0 && Number(bits) <= (family === 4 ? 32 : 128);
}

/**
 * A proxy adds the address that it sees at the end. What stands before is the client's own word: from an entry on that
 * is no address, nothing of it counts, and without any address the request comes from where its connection does.
 */
export async function dropUnreadableAddresses({ raw }: FastifyRequest): Promise<void> {
  const given = raw.headers[header];
  if (given === undefined) return;
  const entries = String(given)
    .split(',')
    .map((entry) => entry.trim());
  const readable = entries.slice(entries.findLastIndex((entry) => !isAddress(entry)) + 1);
  if (readable.length > 0) raw.headers[header] = readable.join(', ');
  else delete raw.headers[header];
}

/**
 * What limits count a request under: an IPv4 address, or the 64 bits of the network of an IPv6 one, whose single
 * addresses any household has without end.
 */
export function countedAddress({ ip }: Pick<FastifyRequest, 'ip'>): string {
  const groups = groupsOfVersion6(ip);
  if (groups) return networkOf(groups, 64);
  return isIP(ip) === 6
    ? groupsOf(ip)
        .slice(6)
        .flatMap((group) => [group >> 8, group & 255])
        .join('.')
    : ip;
}

/** What a provider gives one customer with IPv6: 65,536 of those networks. Null for IPv4. */
export function countedSite({ ip }: Pick<FastifyRequest, 'ip'>): string | null {
  const groups = groupsOfVersion6(ip);
  return groups && networkOf(groups, 48);
}

/** Null for IPv4, also where it is written as IPv6. */
function groupsOfVersion6(ip: string): number[] | null {
  if (isIP(ip) !== 6) return null;
  const groups = groupsOf(ip);
  const isVersion4 = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  return isVersion4 ? null : groups;
}

function networkOf(groups: number[], bits: 48 | 64): string {
  const kept = groups.slice(0, bits / 16).map((group) => group.toString(16));
  return `${kept.join(':')}::/${bits}`;
}

/** What stands behind a % names a part of the machine that speaks, in any words and length. */
function isAddress(entry: string): boolean {
  return isIP(entry) !== 0 && !entry.includes('%');
}

/** The eight numbers of an IPv6 address, however it is written. */
function groupsOf(address: string): number[] {
  const [before = '', after = ''] = new URL(`http://[${address.replace(/%.*/, '')}]`).hostname.slice(1, -1).split('::');
  const [head, tail] = [before, after].map((part) => (part === '' ? [] : part.split(':')));
  const left = head ?? [];
  const right = tail ?? [];
  const zeros = Array<string>(8 - left.length - right.length).fill('0');
  return [...left, ...zeros, ...right].map((group) => Number.parseInt(group, 16));
}
