import { demoMailboxPath } from '#contract/deliveries.ts';
import { houseZone } from '#contract/house-zone.ts';
import { momentIn } from '#contract/moments.ts';
import { escapeHtml } from '#server/platform/mail-template.ts';
import type { MailboxMail, MailboxPage } from './demo-mailbox-queries.ts';

const statusLabels: Record<string, string> = {
  queued: 'Kept here',
  sent: 'Sent',
  failed: 'Will be tried again',
  given_up: 'Could not be sent',
};

export function mailboxPage({ mails, next }: MailboxPage, to: string): string {
  const rows = mails.map(
    (mail) => `<li><a class="mail" href="${demoMailboxPath}/${mail.id}">
      <span class="subject">${escapeHtml(mail.subject)}</span>
      <span class="quiet">To ${escapeHtml(mail.address)}</span>
      <span class="quiet">${timeOf(mail.createdAt)} · ${labelOf(mail.status)}</span></a></li>`,
  );
  const nobody = to === '' ? 'No mail has been written yet.' : `No mail to “${escapeHtml(to)}”.`;
  const older = next === null ? '' : `<p><a class="more" href="${addressOf({ to, before: next })}">Older mails</a></p>`;
  return page(
    'Demo mailbox',
    `<h1>Demo mailbox</h1>
    <p class="quiet">Every mail that this demo wrote, newest first.</p>
    <form method="get" action="${demoMailboxPath}" role="search">
      <label for="to">Show mails to</label>
      <div class="search"><input id="to" name="to" type="search" value="${escapeHtml(to)}" autocomplete="off"><button>Show</button></div>
    </form>
    ${rows.length === 0 ? `<p>${nobody}</p>` : `<ul>${rows.join('')}</ul>`}${older}`,
  );
}

export function mailPage(mail: MailboxMail): string {
  const problem = mail.lastError === null ? '' : `<p class="problem">${escapeHtml(mail.lastError)}</p>`;
  const calendar =
    mail.calendarText === null
      ? ''
      : `<details><summary>invite.ics, for the reader’s calendar</summary><pre tabindex="0">${escapeHtml(mail.calendarText)}</pre></details>`;
  return page(
    mail.subject,
    `<p><a href="${demoMailboxPath}">All mails</a></p>
    <h1>${escapeHtml(mail.subject)}</h1>
    <p class="quiet">To ${escapeHtml(mail.address)}<br>${timeOf(mail.createdAt)} · ${labelOf(mail.status)}</p>
    ${problem}<article>${withLinks(mail.text)}</article>${calendar}`,
  );
}

function addressOf({ to, before }: { to: string; before: string }): string {
  const search = new URLSearchParams({ ...(to === '' ? {} : { to }), before });
  return escapeHtml(`${demoMailboxPath}?${search}`);
}

function timeOf(at: Date): string {
  return `<time datetime="${at.toISOString()}">${escapeHtml(momentIn(at, houseZone))}</time>`;
}

function labelOf(status: string): string {
  return escapeHtml(statusLabels[status] ?? status);
}

function withLinks(text: string): string {
  const parts = text.split(/(https?:\/\/[^\s<>"]+)/);
  return parts
    .map((part, index) =>
      index % 2 === 0 ? escapeHtml(part) : `<a href="${escapeHtml(part)}">${escapeHtml(part)}</a>`,
    )
    .join('');
}

function page(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)} · Switchyard</title>
<style>${style}</style>
</head>
<body><main>${content}</main></body>
</html>`;
}

const style = `
:root { --text: #1c2530; --quiet: #55606e; --line: #d8dee6; --back: #f6f8fa; --card: #ffffff; --accent: #1d4ed8; --problem: #a61b1b; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e6eaf0; --quiet: #a7b1be; --line: #343c47; --back: #14181d; --card: #1d232a; --accent: #8ab4ff; --problem: #ff9c9c; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--text); font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
main { max-width: 760px; margin: 0 auto; padding: 24px 16px 48px; }
h1 { font-size: 24px; line-height: 1.3; margin: 0 0 8px; }
a { color: var(--accent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
ul { list-style: none; margin: 16px 0; padding: 0; border: 1px solid var(--line); border-radius: 8px; background: var(--card); overflow: hidden; }
li + li { border-top: 1px solid var(--line); }
.mail { display: block; padding: 12px 16px; color: inherit; text-decoration: none; }
.mail:hover .subject { text-decoration: underline; }
.mail span { display: block; }
.subject { font-weight: 600; }
.quiet { color: var(--quiet); font-size: 14px; }
.problem { color: var(--problem); }
label { display: block; font-weight: 600; margin: 16px 0 4px; }
.search { display: flex; gap: 8px; }
input, button { font: inherit; color: inherit; background: var(--card); border: 1px solid var(--quiet); border-radius: 8px; padding: 8px 12px; min-height: 44px; }
input { flex: 1; min-width: 0; }
summary { margin-top: 16px; padding: 10px 0; cursor: pointer; }
pre { margin: 0; overflow-x: auto; font-size: 13px; }
article { margin-top: 16px; padding: 16px; border: 1px solid var(--line); border-radius: 8px; background: var(--card); white-space: pre-wrap; }
`;
