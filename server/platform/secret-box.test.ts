import { expect, test } from 'vitest';
import { hashCode, openText, sealText } from './secret-box.ts';

const secret = 'a secret of the instance, of more than thirty-two characters';

test('a sealed text opens with the same secret and purpose only', () => {
  const sealed = sealText(secret, 'thing:a', 'Grüße 🌍');
  expect(openText(secret, 'thing:a', sealed)).toBe('Grüße 🌍');
  expect(() => openText(secret, 'thing:b', sealed)).toThrow();
  expect(() => openText(`${secret}!`, 'thing:a', sealed)).toThrow();
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
  expect(hashCode(`${secret}!`, 'code:a', '123456')).not.toBe(hash);
});
