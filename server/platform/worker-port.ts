import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readHealth, readReadiness } from '#contract/health.ts';
import { readMetrics } from '#contract/operations.ts';
import type { App } from './app-parts.ts';

const answered = [readHealth, readReadiness, readMetrics].map(({ path }) => path);

/** A worker serves nobody. Monitoring still reaches these three addresses of it. */
export async function listenForMonitoring({ http, config }: Pick<App, 'http' | 'config'>, port: number) {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://worker');
    if (request.method === 'GET' && answered.includes(pathname)) return http.routing(request, response);
    response.writeHead(404).end();
  });
  server.listen(port, config.host);
  await once(server, 'listening');
  const { port: taken } = server.address() as AddressInfo;
  return {
    port: taken,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
