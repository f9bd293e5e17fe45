import type { SealedColumn } from '#server/platform/sealed-columns.ts';

export const pushKeyPurpose = 'push-key';

const kept = { key: 'public_key', column: 'encrypted_private_key', purposeOf: () => pushKeyPurpose };

export const sealedPushKeys: SealedColumn[] = [
  { what: 'the key of push messages', table: 'push_keys', ...kept },
  { what: 'former keys of push messages', table: 'former_push_keys', ...kept },
];
