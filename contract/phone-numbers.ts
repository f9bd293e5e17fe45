import { z } from 'zod';
import { Done, endpoint } from './endpoint.ts';

const written = /^\+?[\d\s().-]+$/;
const international = /^\+[1-9]\d{6,14}$/;

/**
 * Returns '+12125550123' (E.164) for a number as people write it, or null if it is none. A number without a country
 * code is a US number.
 */
export function normalPhoneNumber(text: string): string | null {
  const given = text.trim();
  if (!written.test(given)) return null;
  const digits = given.replace(/\D/g, '');
  const number = given.startsWith('+') ? `+${digits}` : inTheUnitedStates(digits);
  return number !== null && international.test(number) ? number : null;
}

function inTheUnitedStates(digits: string): string | null {
  const national = digits.length === 11 && digits.startsWith('1') ? digits.slice(1) : digits;
  return /^[2-9]\d{2}[2-9]\d{6}$/.test(national) ? `+1${national}` : null;
}

const PhoneNumber = z
  .string()
  .max(40)
  .refine((text) => normalPhoneNumber(text) !== null, 'Please enter a phone number with its area code');

export const NewPhone = z.object({ phone: PhoneNumber });

export const requestPhoneCode = endpoint({
  name: 'requestPhoneCode',
  method: 'POST',
  path: '/api/preferences/phone/codes',
  access: 'notices.own',
  ownTransactions: true,
  summary: 'Texts a code to a phone number; the number is the own one when the code comes back.',
  body: NewPhone,
  response: z.object({ phone: z.string() }),
});

export const confirmPhone = endpoint({
  name: 'confirmPhone',
  method: 'PUT',
  path: '/api/preferences/phone',
  access: 'notices.own',
  ownTransactions: true,
  summary: 'Takes the phone number that the texted code proves as the own one.',
  body: z.object({ code: z.string().trim().min(1, 'Please enter the code that was texted to you').max(20) }),
  response: z.object({ phone: z.string() }),
});

export const removePhone = endpoint({
  name: 'removePhone',
  method: 'DELETE',
  path: '/api/preferences/phone',
  access: 'notices.own',
  summary: 'Forgets the own phone number; no text message is sent any more.',
  response: Done,
});
