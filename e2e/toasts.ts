import type { Locator, Page } from '@playwright/test';

const successes = [
  'Content Created',
  'Assignment Created',
  'Content Deleted',
  'Assignment Deleted',
  'User Updated',
  'User Deleted',
  'Cohort Assignment Successful',
  'Assignment Successful',
  'Activities Assigned',
  'Activity Updated',
  'Message Sent',
  'Preferences Saved',
  'Superadmin Created',
  'Users Refreshed',
  'Users Synced',
  'Password Updated Successfully',
  'Resource Created',
  'Resource Updated',
  'Resource Deleted',
  'Stipend Approved',
  'Stipend Denied',
  'Amount Updated',
  'Bulk Approval Complete',
  'Webhook Sent',
];
const warnings = ['Duplicate Assignment', 'No Eligible Stipends', 'No Approved Stipends'];

/**
 * Finds the notices with a title and, if given, a message. The kind of some titles is specified (ERR1-03, ERR1-09,
 * ERR1-10). Such a title is found only as the whole title of a notice of that kind, so every test that waits for it
 * asserts both.
 */
export function toast(page: Page, title: string, message = ''): Locator {
  const kind = kindOf(title);
  const ofKind = page.locator(kind ? `[data-toast=${kind}]` : '[data-toast]').filter({ hasText: message });
  return kind ? ofKind.filter({ has: page.getByText(title, { exact: true }) }) : ofKind.filter({ hasText: title });
}

function kindOf(title: string): 'success' | 'warning' | 'info' | 'error' | null {
  if (successes.includes(title)) return 'success';
  if (warnings.includes(title)) return 'warning';
  if (title === 'New Message') return 'info';
  return title.endsWith(' Failed') ? 'error' : null;
}
