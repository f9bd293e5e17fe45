import { expect, test } from 'vitest';
import { readRecoveryLink } from './recovery-link.ts';

const values = 'access_token=a-token&refresh_token=a-token&type=recovery';
const complete = { state: 'complete', token: 'a-token', values };

test('AUTH-25 a link is read from the hash or from the query, whatever else stands in the other', () => {
  expect(readRecoveryLink({ hash: `#${values}`, search: '' })).toEqual(complete);
  expect(readRecoveryLink({ hash: '', search: `?${values}` })).toEqual(complete);
  expect(readRecoveryLink({ hash: '#top', search: `?${values}` })).toEqual(complete);
  expect(readRecoveryLink({ hash: `#${values}`, search: '?from=mail' })).toEqual(complete);
});

test('AUTH-25 a link with any of the three parts missing is broken; without all of them there is none', () => {
  for (const missing of ['access_token', 'refresh_token', 'type']) {
    const parts = new URLSearchParams(values);
    parts.delete(missing);
    expect(readRecoveryLink({ hash: `#${parts}`, search: '' }), missing).toEqual({ state: 'broken' });
    expect(readRecoveryLink({ hash: '', search: `?${parts}` }), missing).toEqual({ state: 'broken' });
  }
  expect(readRecoveryLink({ hash: '', search: '' })).toEqual({ state: 'none' });
});
