import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer as createSocketServer } from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { createServer, type ProxyOptions } from 'vite';
import { argumentsOrEnd } from '#server/command.ts';
import { readConfig } from '#server/config.ts';
import { serverPaths } from './server-paths.ts';

argumentsOrEnd('Usage: npm run dev', {});
process.chdir(path.join(import.meta.dirname, '..'));
let config = readConfig();
if (config.port === 0) config = readConfig({ ...process.env, PORT: String(await findFreePort()) });
const serverPort = await findFreePort();

// People open Vite's address. Vite passes the server's requests on to the server.
const web = await createServer({
  configFile: 'web/vite.config.ts',
  logLevel: 'warn',
  server: {
    host: config.host,
    port: config.port,
    strictPort: true,
    allowedHosts: [new URL(config.publicUrl).hostname],
    proxy: { [serverPaths]: toServer(serverPort) },
  },
});
await web.listen();

const watched = ['--watch-path=server', '--watch-path=contract', '--watch-preserve-output'];
const server = spawn(process.execPath, [...watched, 'server/main.ts'], {
  env: {
    ...process.env,
    HOST: '127.0.0.1',
    PORT: String(serverPort),
    PUBLIC_URL: config.publicUrl,
    DEMO: config.isDemo ? '1' : '0',
  },
  stdio: ['ignore', 'pipe', 'inherit'],
});
createInterface({ input: server.stdout }).on('line', (line) => {
  console.log(line.replace(/^(Switchyard is ready at) \S+/, `$1 ${config.publicUrl}`));
});
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => server.kill(signal));
await once(server, 'exit');
await web.close();

/**
 * While the server restarts, the browser app gets the same answer as from a server that is away, and retries by itself.
 */
function toServer(port: number): ProxyOptions {
  return {
    target: `http://127.0.0.1:${port}`,
    xfwd: true,
    configure: (proxy) => {
      proxy.on('error', (_error, _request, reply) => {
        if ('writeHead' in reply && !reply.headersSent) reply.writeHead(503, { 'retry-after': '1' }).end();
      });
    },
  };
}

async function findFreePort(): Promise<number> {
  const socket = createSocketServer().listen(0, '127.0.0.1');
  await once(socket, 'listening');
  const { port } = socket.address() as AddressInfo;
  socket.close();
  await once(socket, 'close');
  return port;
}
