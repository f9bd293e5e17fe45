import { expect, test } from 'vitest';
import { acceptedHashes, hashCode, keyFor, keysFor, openSealed, openText, sealText, signsOf } from './secret-box.ts';

const secret = ['a secret of the instance, of more than thirty-two characters'] as const;
const another = ['another secret, which has more than thirty-two characters, too'] as const;

test('a sealed text opens with the same secret and purpose only', () => {
  const sealed = sealText(secret, 'thing:a', 'Grüße 🌍');
  expect(openText(secret, 'thing:a', sealed)).toBe('Grüße 🌍');
  expect(() => openText(secret, 'thing:b', sealed)).toThrow();
  expect(() => openText(another, 'thing:a', sealed)).toThrow();
});

test('a sealed text never shows the same twice, nor what is in it, and a changed one does not open', () => {
  const sealed = sealText(secret, 'thing', 'plain words');
  expect(sealText(secret, 'thing', 'plain words')).not.toBe(sealed);
  expect(Buffer.from(sealed, 'base64url').toString('latin1')).not.toContain('plain');
  for (const position of [0, 12, 28]) {
    const bytes = Buffer.from(sealed, 'base64url');
    bytes.writeUInt8(bytes.readUInt8(position) ^ 1, position);
    expect(() => openText(secret, 'thing', bytes.toString('base64url')), `byte ${position}`).toThrow();
  }
  expect(() => openText(secret, 'thing', sealed.slice(0, 20))).toThrow();
});

test('the hash of a code depends on the secret and the purpose', () => {
  const hash = hashCode(secret, 'code:a', '123456');
  expect(hashCode(secret, 'code:a', '123456')).toBe(hash);
  expect(hashCode(secret, 'code:b', '123456')).not.toBe(hash);
  expect(hashCode(another, 'code:a', '123456')).not.toBe(hash);
});

test('what a former secret sealed, hashed or signed counts as long as it is accepted, and the present one seals', () => {
  const both = [...another, ...secret] as const;
  const sealed = sealText(secret, 'thing', 'plain words');
  expect(openSealed(both, 'thing', sealed)).toEqual({ text: 'plain words', isCurrent: false });
  expect(openSealed(both, 'thing', sealText(both, 'thing', 'more'))).toEqual({ text: 'more', isCurrent: true });
  expect(openText(another, 'thing', sealText(both, 'thing', 'more'))).toBe('more');
  expect(() => openText(another, 'thing', sealed)).toThrow('No accepted secret opens this text.');
  expect(() => openText(both, 'other', sealed)).toThrow('No accepted secret opens this text.');
  expect(acceptedHashes(both, 'code', '123456')).toEqual([
    hashCode(another, 'code', '123456'),
    hashCode(secret, 'code', '123456'),
  ]);
  expect(keysFor(both, 'key')).toEqual([keyFor(another, 'key'), keyFor(secret, 'key')]);
  expect(signsOf(both)).toEqual([...signsOf(another), ...signsOf(secret)]);
  expect(new Set(signsOf(both)).size).toBe(2);
});
