import { startArguments } from '#server/command.ts';
import type { Config } from '#server/config.ts';
import { fillDemoOnFirstStart } from '#server/db/demo/demo.ts';
import { firstAdminToken } from '#server/features/accounts/registration/first-admin.ts';
import type { RunningProcess } from '#server/process.ts';
import { runProcess } from '#server/run-process.ts';
import { demoAccounts, demoPassword } from '#server/sign-in/demo-accounts.ts';

const { values: asked } = startArguments();
await runProcess(() => ({ web: true, jobs: !asked['web-only'], prepare: fillDemoOnFirstStart }), printWelcome);

/** The first line says where the process listens. The others are for people, who come by the public address. */
async function printWelcome(
  { app, url }: RunningProcess,
  { isDemo, hasDemoMailbox, publicUrl }: Config,
): Promise<void> {
  const lines = [`Switchyard is ready at ${url}`];
  if (isDemo) {
    lines.push(
      '  This is a demo: anybody who reaches it can sign in with the published password. DEMO=0 starts without.',
    );
    lines.push(`  sign in    ${demoAccounts.map(({ email }) => email).join(', ')}`);
    lines.push(`  password   ${demoPassword}`);
    lines.push(`  mails      ${hasDemoMailbox ? `${publicUrl}/demo/mail` : 'are sent, and shown to nobody here'}`);
  }
  const token = await firstAdminToken(app);
  if (token) lines.push(`  there is no admin yet; create the first one at ${publicUrl}/first-admin#token=${token}`);
  lines.push(`  API        ${publicUrl}/api/reference`);
  console.log(lines.join('\n'));
}
