import { expect, test } from 'vitest';
import { isPrivateAddress } from '#server/platform/outgoing-request.ts';

test.each([
  '8.8.8.8',
  '1.1.1.1',
  '172.32.0.1',
  '192.167.255.255',
  '198.20.0.1',
  '192.0.1.1',
  '2606:4700::1111',
  '2a00:1450::1',
  '::ffff:8.8.8.8',
])('%s is a public address, to which stipends may be sent', (address) => {
  expect(isPrivateAddress(address)).toBe(false);
});

test.each([
  '127.0.0.1',
  '10.1.2.3',
  '169.254.169.254',
  '172.31.255.255',
  '192.168.0.1',
  '100.64.0.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '0.0.0.0',
  '::1',
  '::',
  'fd00::1',
  'fe80::1',
  'ff02::1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
  '::127.0.0.1',
  '::7f00:1',
  '::10.1.2.3',
  '::ffff:0:127.0.0.1',
  '::ffff:0:7f00:1',
  'fec0::1',
  'feff::1',
  'fe80::1%1',
  '192.0.0.8',
  '192.0.2.1',
  '198.51.100.1',
  '203.0.113.1',
  '192.88.99.1',
  '64:ff9b:1::a00:1',
  '2001::1',
  '2001:2::1',
  '2001:20::1',
  '2001:db8::1',
  '3fff::1',
  '5f00::1',
  '100::1',
  '4000::1',
])('%s is refused', (address) => {
  expect(isPrivateAddress(address)).toBe(true);
});
