import { type Config, readConfig } from '#server/config.ts';
import { fillDemoOnFirstStart } from '#server/db/demo/demo.ts';
import { firstAdminToken } from '#server/features/accounts/first-admin.ts';
import { type RunningProcess, startProcess } from '#server/process.ts';

const stopLimitInMs = 10_000;

try {
  const config = readConfig();
  const running = await startProcess(config, {
    web: true,
    jobs: !process.argv.includes('--web-only'),
    prepare: fillDemoOnFirstStart,
  });
  stopOnSignal(running);
  await printWelcome(running, config);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  if (process.env.LOG_LEVEL === 'debug') console.error(error);
  process.exit(1);
}

/** The first line says where the process listens; people follow the others, and come by the public address. */
async function printWelcome({ app, url }: RunningProcess, { isDemo, publicUrl }: Config): Promise<void> {
  const lines = [`Switchyard is ready at ${url}`];
  if (isDemo) {
    lines.push(`  sign in    admin@demo.example, coach@demo.example, participant@demo.example, newcomer@demo.example`);
    lines.push(`  password   Power-Up-2026!`);
    lines.push(`  mails      ${publicUrl}/demo/mail`);
  }
  const token = await firstAdminToken(app);
  if (token) lines.push(`  there is no admin yet; create the first one at ${publicUrl}/first-admin#token=${token}`);
  lines.push(`  API        ${publicUrl}/api/reference`);
  console.log(lines.join('\n'));
}

function stopOnSignal(running: RunningProcess): void {
  let isStopping = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (isStopping) return;
      isStopping = true;
      setTimeout(() => process.exit(1), stopLimitInMs).unref();
      running.stop().then(
        () => process.exit(0),
        (error: unknown) => {
          console.error(error);
          process.exit(1);
        },
      );
    });
  }
}
