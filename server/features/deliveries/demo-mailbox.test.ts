import { afterAll, beforeAll, expect, test } from 'vitest';
import { demoMailboxPath } from '#contract/deliveries.ts';
import { mailTemplate } from '#server/platform/mail-template.ts';
import { queueMail } from '#server/platform/mailer.ts';
import { type Client, startTestApp, type TestApp } from '#test/support/app.ts';

let server: TestApp;
let anybody: Client;
beforeAll(async () => {
  server = await startTestApp({ DEMO: '1' });
  await server.runJobs();
  anybody = await server.as(null);
});
afterAll(() => server.close());

test('a kept mail is read with its links, and markup in it stays text', async () => {
  const content = mailTemplate({
    greeting: 'Hello <b>Robin</b>,',
    paragraphs: ['<script>alert(1)</script>'],
    action: { label: 'Set password', url: 'https://switchyard.example/set?token=a&next=b' },
  });
  const address = 'robin@people.example';
  await queueMail(server.db, {
    kind: 'invitation',
    recipientId: null,
    address,
    subject: 'Welcome <Robin>',
    ...content,
  });

  const list = await readPage(demoMailboxPath);
  expect(list).toContain('Welcome &#60;Robin&#62;');
  expect(list).toContain('To robin@people.example');
  const mail = await readPage(/href="(\/demo\/mail\/[0-9a-f-]{36})"/.exec(list)?.[1] ?? '');
  expect(mail).toContain('<a href="https://switchyard.example/set?token=a&#38;next=b">');
  expect(mail).toContain('Hello &#60;b&#62;Robin&#60;/b&#62;,');
  expect(mail).not.toContain('<script');
  const { status } = await server.db.selectFrom('deliveries').select('status').executeTakeFirstOrThrow();
  expect(status).toBe('queued');
});

test('mails are listed newest first, page by page, and by address', async () => {
  const mails = Array.from({ length: 120 }, (_, index) => ({
    kind: 'note',
    recipientId: null,
    address: `person-${index}@pages.example`,
    subject: `Note ${index}`,
    text: 'Text',
  }));
  for (const mail of mails) await queueMail(server.db, mail);
  const seen: string[] = [];
  let address: string | undefined = `${demoMailboxPath}?to=PAGES.example`;
  for (let pages = 0; address !== undefined; pages += 1) {
    expect(pages).toBeLessThan(3);
    const html: string = await readPage(address);
    seen.push(...[...html.matchAll(/class="subject">([^<]+)</g)].map(([, subject]) => subject ?? ''));
    address = /class="more" href="([^"]+)"/.exec(html)?.[1]?.replaceAll('&#38;', '&');
  }
  expect(seen).toEqual(mails.map(({ subject }) => subject).toReversed());
  expect(await readPage(`${demoMailboxPath}?to=${encodeURIComponent('"><i>')}`)).toContain(
    'No mail to “&#34;&#62;&#60;i&#62;”',
  );
});

test('the pages keep to the strict policy for scripts and are not stored', async () => {
  const answer = await anybody.fetch(demoMailboxPath);
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(answer.headers.get('content-security-policy')).toContain("script-src 'self'");
  expect(answer.headers.get('cache-control')).toBe('no-store');
});

test.each([
  ['an instance that is no demo', { DEMO: '0' }],
  ['a demo that sends its mails', { DEMO: '1', SMTP_URL: 'smtp://127.0.0.1:1' }],
])('%s shows nobody any mail', async (_, env) => {
  const real = await startTestApp(env);
  await queueMail(real.db, {
    kind: 'note',
    recipientId: null,
    address: 'a@b.example',
    subject: 'Secret',
    text: 'Text',
  });
  const { id } = await real.db.selectFrom('deliveries').select('id').executeTakeFirstOrThrow();
  const visitor = await real.as(null);
  expect((await visitor.fetch(demoMailboxPath)).status).toBe(404);
  expect((await visitor.fetch(`${demoMailboxPath}/${id}`)).status).toBe(404);
  await real.close();
});

async function readPage(address: string): Promise<string> {
  const answer = await anybody.fetch(address);
  expect(answer.status).toBe(200);
  return answer.text();
}
