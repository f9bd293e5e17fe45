import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';

const header = 'x-forwarded-for';

/**
 * Accepts one address or one range in CIDR notation, such as 10.0.0.7 or 10.0.0.0/8. A range of all addresses is
 * refused.
 */
export function isAddressOrRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  if (bits === undefined) return true;
  return /^\d{1,3}$/.test(bits) && Number(bits) > 0 && Number(bits) <= (family === 4 ? 32 : 128);
}

/** True for a name or an address by which only this machine reaches itself. IPv6 may stand in brackets. */
export function isLoopbackHost(host: string): boolean {
  const address = host.replace(/^\[|\]$/g, '').replace(/^::ffff:/i, '');
  return address === 'localhost' || address === '::1' || (isIP(address) === 4 && address.startsWith('127.'));
}

/**
 * A proxy adds the address that it sees at the end. Earlier entries are only the client's word. If an entry is no
 * address, it and all earlier ones count for nothing. If none is left, the request comes from its connection's address.
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
 * The address that limits count a request under. For IPv6 it is the network's 64 bits, because any household has
 * endless addresses within one.
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

/** The network that a provider gives one IPv6 customer, which has 65,536 of those networks. Null for IPv4. */
export function countedSite({ ip }: Pick<FastifyRequest, 'ip'>): string | null {
  const groups = groupsOfVersion6(ip);
  return groups && networkOf(groups, 48);
}

/** Null for IPv4, even if it is written as IPv6. */
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

/** The text after a % names a part of the sender's machine. It may hold any words of any length. */
function isAddress(entry: string): boolean {
  return isIP(entry) !== 0 && !entry.includes('%');
}

/** The eight numbers of an IPv6 address in any spelling. */
function groupsOf(address: string): number[] {
  const [before = '', after = ''] = new URL(`http://[${address.replace(/%.*/, '')}]`).hostname.slice(1, -1).split('::');
  const [head, tail] = [before, after].map((part) => (part === '' ? [] : part.split(':')));
  const left = head ?? [];
  const right = tail ?? [];
  const zeros = Array<string>(8 - left.length - right.length).fill('0');
  return [...left, ...zeros, ...right].map((group) => Number.parseInt(group, 16));
}
