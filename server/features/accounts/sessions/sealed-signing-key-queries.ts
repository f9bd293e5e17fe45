import type { SealedColumn } from '#server/platform/sealed-columns.ts';

export const sealedSigningKeys: SealedColumn = {
  what: 'keys of service tokens',
  table: 'auth.jwks',
  key: 'id',
  column: 'private_key',
  purposeOf: signingKeyPurposeOf,
};

export function signingKeyPurposeOf(keyId: string): string {
  return `signing-key:${keyId}`;
}
