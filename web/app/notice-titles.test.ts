import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const sources = [...globSync('web/**/*.{ts,tsx}'), ...globSync('server/features/messages/message-notices.ts')]
  .filter((file) => !/\.test\.tsx?$/.test(file))
  .map((file) => readFileSync(file, 'utf8'));

/** The code before each place where the title is a whole string. */
function placesOf(title: string): string[] {
  return sources.flatMap((text) =>
    [...text.matchAll(new RegExp(`['"]${title}['"]`, 'g'))].map(({ index }) =>
      text.slice(Math.max(0, index - 160), index),
    ),
  );
}

/** The kind of notice that a title belongs to. Its type says so, or the end of the act that it tells about. */
function kindAt(before: string): string | undefined {
  const marks = [...before.matchAll(/type: (?:\w+ \? '(\w+)' : )?'(\w+)'|\b(success|failureTitle)\b/g)];
  const [, first, type, role] = marks.at(-1) ?? [];
  // The code chooses between two kinds, and this title belongs to the first.
  if (first && /\? $/.test(before)) return first;
  return type ?? (role === 'failureTitle' ? 'error' : role);
}

test.each([
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
])('wherever the title %s is written, it stands on a success', (title) => {
  const kinds = placesOf(title).map(kindAt);
  expect(kinds.length).toBeGreaterThan(0);
  expect(new Set(kinds)).toEqual(new Set(['success']));
});

test.each([
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
])('wherever the title %s is written, it stands on a success', (title) => {
  const kinds = placesOf(title).map(kindAt);
  expect(kinds.length).toBeGreaterThan(0);
  expect(new Set(kinds)).toEqual(new Set(['success']));
});

test('wherever they are written, warnings are warnings, a new message is information, and what ends in Failed is an error', () => {
  for (const title of ['Duplicate Assignment', 'No Eligible Stipends', 'No Approved Stipends']) {
    expect({ title, kinds: placesOf(title).map(kindAt) }).toEqual({ title, kinds: ['warning'] });
  }
  const news = sources.find((text) => text.includes("'New Message'")) ?? '';
  expect(news).toContain("type: 'info'");
  expect(news).not.toMatch(/type: '(success|error|warning)'/);
  const failures = new Set(sources.flatMap((text) => text.match(/(?<=['"])[A-Z][A-Za-z -]* Failed(?=['"])/g) ?? []));
  expect(failures.size).toBeGreaterThan(15);
  for (const title of failures) {
    const kinds = placesOf(title).map(kindAt);
    expect({ title, other: kinds.filter((kind) => kind !== 'error') }).toEqual({ title, other: [] });
  }
});
