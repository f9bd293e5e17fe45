import type { NoticeCategory } from '#contract/notices.ts';
import { escapeHtml } from '#server/platform/mail-template.ts';

const names: Record<NoticeCategory, string> = {
  assignmentReminders: 'Assignment reminders',
  deadlineAlerts: 'Deadline alerts',
  performanceFeedback: 'Performance feedback',
  stipendUpdates: 'Stipend updates',
  coachMessages: 'Coach messages',
};

export function questionPage(category: NoticeCategory): string {
  return page(
    'Unsubscribe',
    `<p>Switch off <b>${escapeHtml(names[category])}</b>? We will not send you these again.${exceptionOf(category)}</p>
    <form method="post"><button>Switch off</button></form>`,
  );
}

export function donePage(category: NoticeCategory): string {
  return page(
    'Switched off',
    `<p><b>${escapeHtml(names[category])}</b> are switched off.${exceptionOf(category)} You can switch them on again in your
    <a href="/preferences/notifications">notification preferences</a>.</p>`,
  );
}

function exceptionOf(category: NoticeCategory): string {
  if (category !== 'coachMessages') return '';
  return ' We still email you changes to coaching sessions that are in your calendar.';
}

function page(title: string, content: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1"><title>${escapeHtml(title)} · Switchyard</title>
<style>
:root { color-scheme: light dark; }
body { margin: 0; padding: 24px 16px; font: 16px/1.5 system-ui, sans-serif; color: light-dark(#1d252e, #dfe5ee);
  background: light-dark(#f7f9fb, #0c121a); }
main { max-width: 520px; margin: 0 auto; }
h1 { font-size: 1.625rem; line-height: 1.25; }
a { color: light-dark(#2f4cb3, #8da0e1); }
button { min-height: 44px; padding: 0 20px; border: 0; border-radius: 8px; font: inherit; font-weight: 600;
  color: #fff; background: #2f4cb3; cursor: pointer; }
</style></head><body><main><h1>${escapeHtml(title)}</h1>${content}</main></body></html>`;
}
