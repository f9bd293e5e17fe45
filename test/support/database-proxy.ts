import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface DatabaseProxy {
  /** The database's address, by way of the proxy. */
  connectionString: string;
  /** Resets every connection, as when a machine loses its process or its power. New connections work. */
  reset(): void;
  /** From now on no connection gets an answer, not even a new one, and none of them ends. */
  freeze(): void;
  /** Releases what was held back. */
  thaw(): void;
  /** Resets every connection, and refuses new ones. */
  goAway(): Promise<void>;
  /** Takes connections again, at the same address. */
  comeBack(): Promise<void>;
  close(): Promise<void>;
}

/** Stands between the product and its database, because a database cannot do these things to itself. */
export async function startDatabaseProxy(connectionString: string): Promise<DatabaseProxy> {
  const target = new URL(connectionString);
  const pairs = new Set<[Socket, Socket]>();
  let isFrozen = false;
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    const pair: [Socket, Socket] = [near, far];
    pairs.add(pair);
    for (const [from, to] of [pair, pair.toReversed() as [Socket, Socket]]) {
      from.on('data', (bytes) => to.write(bytes));
      from.on('end', () => to.end());
      // The proxy exists to break connections.
      from.on('error', () => to.destroy());
      from.on('close', () => {
        pairs.delete(pair);
        to.destroy();
      });
      if (isFrozen) from.pause();
    }
  });
  const listen = (at: number) => new Promise<void>((resolve) => server.listen(at, '127.0.0.1', resolve));
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const address = new URL(connectionString);
  address.host = `127.0.0.1:${port}`;
  const everySocket = () => [...pairs].flat();
  return {
    connectionString: address.href,
    reset: () => {
      for (const [near] of pairs) near.resetAndDestroy();
    },
    freeze: () => {
      isFrozen = true;
      for (const socket of everySocket()) socket.pause();
    },
    thaw: () => {
      isFrozen = false;
      for (const socket of everySocket()) socket.resume();
    },
    goAway: () => {
      for (const [near] of pairs) near.resetAndDestroy();
      return close();
    },
    comeBack: () => listen(port),
    close: () => {
      for (const socket of everySocket()) socket.destroy();
      return close();
    },
  };
}
