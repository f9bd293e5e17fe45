/** COACH-22: with their subdomains; Squareup and Setmore, as the others, only where the registered domain is theirs. */
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

/** Why an address can't be a coach's booking link; null where it can (COACH-20 to COACH-23). */
export function bookingLinkProblem(text: string): string | null {
  const address = text.trim();
  if (address === '') return 'URL is required';
  if (!URL.canParse(address)) return 'Invalid URL format';
  const { protocol, hostname } = new URL(address);
  if (protocol === 'https:') return null;
  return protocol === 'http:' && isSchedulingService(hostname) ? null : 'URL must use HTTPS';
}

function isSchedulingService(hostname: string): boolean {
  return schedulingServices.some((service) => hostname === service || hostname.endsWith(`.${service}`));
}
