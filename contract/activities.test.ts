import { expect, test } from 'vitest';
import { type ContentItem, openRequired } from './activities.ts';

const item = (facts: Partial<ContentItem>): ContentItem => ({
  id: '00000000-0000-7000-8000-00000000000a',
  title: 'Chapter one',
  description: null,
  contentType: 'reading',
  contentUrl: null,
  contentText: null,
  fileId: null,
  orderIndex: 1,
  estimatedMinutes: 30,
  isRequired: true,
  dueDate: null,
  isTicked: false,
  assignments: [],
  ...facts,
});
const work = (status: string | null, isRequired = true): Partial<ContentItem> => ({
  assignments: [{ id: '00000000-0000-7000-8000-00000000000b', title: 'Report', dueDate: null, isRequired, status }],
});

test.each([
  ['a required reading without a tick', {}, true],
  ['a required reading with a tick', { isTicked: true }, false],
  ['an optional reading', { isRequired: false }, false],
  ['what staff reads', { isTicked: null }, false],
  ['work that was never handed in', work(null), true],
  ['work that came back', work('needs_revision'), true],
  ['work that was refused', work('rejected'), true],
  ['work that waits for a review', work('submitted'), false],
  ['work that was accepted', work('accepted'), false],
  ['work that is optional', work(null, false), false],
  ['work of an optional item', { ...work(null), isRequired: false }, false],
] as const)('%s: is it open? %s', (_, facts, isOpen) => {
  expect(openRequired([item(facts as Partial<ContentItem>)])).toHaveLength(isOpen ? 1 : 0);
});
