import { lookup } from 'node:dns';
import { Agent as HttpAgent, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';

interface OutgoingPost {
  url: string;
  headers: Record<string, string>;
  body: string | Buffer;
  timeoutInMs: number;
  /** Loopback, link-local and private networks are refused unless the operator allows them. */
  allowPrivate: boolean;
}

const longestAnswer = 4000;
/** Addresses that no receiver can have. IPv4 lists them by exclusion: the special purposes of IANA's registry. */
const privateNetworks = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const) {
  privateNetworks.addSubnet(network, prefix, 'ipv4');
}
// Special purposes within the global part of IPv6: Teredo and its neighbors, examples, 6to4.
for (const [network, prefix] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const) {
  privateNetworks.addSubnet(network, prefix, 'ipv6');
}
/**
 * IPv6 works the other way round: only global addresses pass, and IPv4 addresses as systems write them for sockets,
 * which the rules above judge. Everything else is refused, because older and newer forms can hide another address.
 */
const globalNetworks = new BlockList();
globalNetworks.addSubnet('2000::', 3, 'ipv6');
globalNetworks.addSubnet('::ffff:0:0', 96, 'ipv6');

/**
 * Keeps the connections of requests to public addresses apart. An agent finds a kept connection by the name of the host
 * alone. So one that was opened where private addresses are allowed would serve a request that may not go there.
 */
const kept = { keepAlive: true, timeout: 5000 };
const agents = { http: new HttpAgent(kept), https: new HttpsAgent(kept) };

export function postJson({ headers, ...post }: OutgoingPost): Promise<number> {
  return postBytes({ ...post, headers: { ...headers, 'content-type': 'application/json' } });
}

export async function postBytes(post: OutgoingPost): Promise<number> {
  return (await postForAnswer(post)).status;
}

export interface OutgoingAnswer {
  status: number;
  /** The beginning of the answer. */
  text: string;
}

/**
 * Posts, and returns the status and the beginning of the body. It follows no redirects. Throws with a reason if the
 * address is private, cannot be reached or does not answer in time. It connects to the same address that it checked.
 */
export function postForAnswer({
  url,
  headers,
  body,
  timeoutInMs,
  allowPrivate,
}: OutgoingPost): Promise<OutgoingAnswer> {
  const target = new URL(url);
  const host = target.hostname.replace(/^\[|\]$/g, '');
  if (!allowPrivate && isIP(host) && isPrivateAddress(host)) return Promise.reject(privateError(host));
  const isSecure = target.protocol === 'https:';
  const request = isSecure ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    // The status is the answer. A failure after it takes nothing back.
    let answer: OutgoingAnswer | null = null;
    let hasConnected = false;
    const outgoing = request(
      target,
      {
        method: 'POST',
        headers: { ...headers, 'content-length': Buffer.byteLength(body) },
        ...(allowPrivate ? {} : { lookup: refusePrivate, agent: isSecure ? agents.https : agents.http }),
        signal: AbortSignal.timeout(timeoutInMs),
      },
      (incoming) => {
        const begun = { status: incoming.statusCode ?? 0, text: '' };
        answer = begun;
        incoming.setEncoding('utf8');
        incoming.on('data', (part: string) => {
          begun.text += part;
          if (begun.text.length >= longestAnswer) incoming.destroy();
        });
        incoming.on('error', () => incoming.destroy());
        incoming.once('close', () => resolve(begun));
      },
    );
    // Nothing is written before there is a connection. One kept from an earlier request is there already.
    outgoing.once('socket', (socket) => {
      if (!socket.connecting) hasConnected = true;
      else
        socket.once('connect', () => {
          hasConnected = true;
        });
    });
    outgoing.on('error', (error) =>
      answer ? resolve(answer) : reject(Object.assign(inWords(error, timeoutInMs), { hasConnected })),
    );
    outgoing.end(body);
  });
}

const refusePrivate: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    const refused = addresses?.find(({ address }) => isPrivateAddress(address));
    if (error) callback(error, '');
    else if (refused) callback(privateError(refused.address), '');
    else if (options.all) callback(null, addresses);
    else callback(null, addresses[0]?.address ?? '', addresses[0]?.family);
  });
};

/** Asks for the head of an address alone. Any status will do. */
export function headOf({ url, timeoutInMs, allowPrivate }: Pick<OutgoingPost, 'url' | 'timeoutInMs' | 'allowPrivate'>) {
  const target = new URL(url);
  const host = target.hostname.replace(/^\[|\]$/g, '');
  if (!allowPrivate && isIP(host) && isPrivateAddress(host)) return Promise.reject(privateError(host));
  const request = target.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise<{ status: number; date: string | null }>((resolve, reject) => {
    const lookupOrNot = allowPrivate ? undefined : refusePrivate;
    const options = { method: 'HEAD', lookup: lookupOrNot, signal: AbortSignal.timeout(timeoutInMs), agent: false };
    const outgoing = request(target, options, (incoming) => {
      resolve({ status: incoming.statusCode ?? 0, date: incoming.headers.date ?? null });
      incoming.destroy();
    });
    outgoing.on('error', (error) => reject(inWords(error, timeoutInMs)));
    outgoing.end();
  });
}

/** True for an IP address of this machine, of a private network, or of a kind that no receiver can have. */
export function isPrivateAddress(address: string): boolean {
  if (isIP(address) !== 6) return privateNetworks.check(address, 'ipv4');
  return !globalNetworks.check(address, 'ipv6') || privateNetworks.check(address, 'ipv6');
}

function privateError(address: string): Error {
  const message = `The receiver's address ${address} is in a private network, which is not allowed here.`;
  return Object.assign(new Error(message), { hasConnected: false });
}

/** True if a part of a failed request may have arrived. It cannot have if there never was a connection. */
export function mayHaveArrived(error: unknown): boolean {
  return !(error instanceof Error && 'hasConnected' in error && error.hasConnected === false);
}

function inWords(error: NodeJS.ErrnoException, timeoutInMs: number): Error {
  if (error.name === 'AbortError' || error.name === 'TimeoutError') {
    return new Error(`The receiver did not answer within ${inSeconds(timeoutInMs)}.`);
  }
  return error.code ? new Error(`The receiver could not be reached (${error.code}).`) : error;
}

/**
 * Rounds to whole seconds, and below one second up to tenths. A press with a limit of ten seconds has a few
 * milliseconds less left, and still says ten.
 */
function inSeconds(milliseconds: number): string {
  const seconds = milliseconds < 1000 ? Math.ceil(milliseconds / 100) / 10 : Math.round(milliseconds / 1000);
  return `${seconds} ${seconds === 1 ? 'second' : 'seconds'}`;
}
