import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Ground, isListening, startProgram, waitFor } from './ground.ts';
import { findProgram } from './programs.ts';

/** Starts nginx before these ports, as docs/operations.md says. */
export async function startNginx(ground: Ground, port: number, upstreams: number[]): Promise<void> {
  const { place, env } = findProgram(ground, 'nginx', ['nginx-light']);
  const folder = path.join(ground.folder, 'nginx');
  await mkdir(folder);
  const file = path.join(folder, 'nginx.conf');
  await writeFile(file, configOf(folder, port, upstreams));
  const args: [string, ...string[]] = [place, '-p', folder, '-c', file, '-e', path.join(folder, 'error.log')];
  startProgram(ground, 'nginx', args, { env: { PATH: process.env.PATH, ...env } });
  await waitFor('nginx ready', () => isListening(port), 20);
}

/** A process that does not answer is left alone for a second. A write that had begun is never sent a second time. */
function configOf(folder: string, port: number, upstreams: number[]): string {
  const servers = upstreams.map((upstream) => `server 127.0.0.1:${upstream} max_fails=1 fail_timeout=1s;`);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${path.join(folder, kind)};`,
  );
  return `${process.getuid?.() === 0 ? 'user root;\n' : ''}daemon off;
worker_processes 1;
pid ${path.join(folder, 'nginx.pid')};
events { worker_connections 1024; }
http {
  access_log off;
  ${temporary.join('\n  ')}
  upstream hub {
    ${servers.join('\n    ')}
    keepalive 32;
  }
  server {
    listen 127.0.0.1:${port};
    client_max_body_size 0;
    proxy_http_version 1.1;
    proxy_set_header Host $http_host;
    proxy_set_header Connection "";
    proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
    proxy_request_buffering off;
    proxy_next_upstream error timeout;
    proxy_read_timeout 60s;
    location / { proxy_pass http://hub; }
    location = /api/live {
      proxy_pass http://hub;
      proxy_buffering off;
      proxy_read_timeout 1h;
    }
  }
}
`;
}
