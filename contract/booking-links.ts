/**
 * COACH-22: their subdomains count too. Like the others, Squareup and Setmore count only if the registered domain is
 * theirs.
 */
const schedulingServices = [
  'calendly.com',
  'outlook.com',
  'outlook.office.com',
  'outlook.office365.com',
  'bookings.microsoft.com',
  'book.ms',
  'acuityscheduling.com',
  'squareup.com',
  'setmore.com',
];

export const longestBookingLink = 2000;
export const bookingLinkTooLong = `URL must have at most ${longestBookingLink} characters`;

/** Returns why an address cannot be a coach's booking link, or null if it can (COACH-20 to COACH-23). */
export function bookingLinkProblem(text: string): string | null {
  const address = text.trim();
  if (address === '') return 'URL is required';
  if (!URL.canParse(address)) return 'Invalid URL format';
  if (address.length > longestBookingLink) return bookingLinkTooLong;
  const { protocol, hostname, username, password } = new URL(address);
  if (protocol !== 'https:' && !(protocol === 'http:' && isSchedulingService(hostname))) return 'URL must use HTTPS';
  // Text before an @ looks like the host, and every participant would read a password.
  return username || password ? 'URL must not contain a user name or password' : null;
}

function isSchedulingService(hostname: string): boolean {
  return schedulingServices.some((service) => hostname === service || hostname.endsWith(`.${service}`));
}
