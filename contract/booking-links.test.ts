import { expect, test } from 'vitest';
import { bookingLinkProblem } from './booking-links.ts';

test('COACH-20 COACH-21 an empty address is missing, and what does not parse has an invalid format', () => {
  expect(bookingLinkProblem('')).toBe('URL is required');
  expect(bookingLinkProblem('   ')).toBe('URL is required');
  for (const text of ['calendly', 'calendly.com/cole', 'https://', 'http//x', '//calendly.com']) {
    expect(bookingLinkProblem(text), text).toBe('Invalid URL format');
  }
});

test('COACH-22 the known services are taken with http too, by their registered domain and its subdomains', () => {
  const hosts = [
    'calendly.com',
    'www.calendly.com',
    'outlook.office365.com',
    'outlook.office.com',
    'bookings.microsoft.com',
    'cole.acuityscheduling.com',
    'squareup.com',
    'cole.setmore.com',
  ];
  for (const host of hosts) {
    expect(bookingLinkProblem(`http://${host}/cole`), host).toBeNull();
    expect(bookingLinkProblem(` https://${host}/cole `), host).toBeNull();
  }
});

test('COACH-23 elsewhere only https will do, a part of a name is not the service, and no other scheme is an address', () => {
  const refused = [
    'http://example.org/cole',
    'http://calendly.com.example.org/cole',
    'http://notcalendly.com/cole',
    'http://example.org/calendly.com',
    'http://calendly.com@example.org/',
    'javascript:alert(1)',
    'javascript://calendly.com/%0aalert(1)',
    'data:text/html,calendly.com',
    'ftp://calendly.com/cole',
  ];
  for (const address of refused) expect(bookingLinkProblem(address), address).toBe('URL must use HTTPS');
  expect(bookingLinkProblem('https://example.org/cole')).toBeNull();
});

test('an address with a name or password before its host is refused, and one of over 2000 characters', () => {
  for (const address of [
    'https://calendly.com@example.org/cole',
    'https://cole:secret@calendly.com/cole',
    'https://:secret@example.org/',
    'http://cole@calendly.com/',
  ]) {
    expect(bookingLinkProblem(address), address).toBe('URL must not contain a user name or password');
  }
  expect(bookingLinkProblem('https://example.org/@cole')).toBeNull();
  const beginning = 'https://example.org/';
  expect(bookingLinkProblem(` ${beginning.padEnd(2000, 'a')} `)).toBeNull();
  expect(bookingLinkProblem(beginning.padEnd(2001, 'a'))).toBe('URL must have at most 2000 characters');
});
