/** Published: it stands in the README and on the sign-in page of demo instances, which offer it with these accounts. */
export const demoPassword = 'Power-Up-2026!';

export const demoAccounts = [
  { email: 'admin@demo.example', label: 'Admin' },
  { email: 'coach@demo.example', label: 'Coach' },
  { email: 'participant@demo.example', label: 'Participant' },
  { email: 'newcomer@demo.example', label: 'Newcomer' },
];

/** As a pattern of PostgreSQL; nobody real has such an address (RFC 2606). */
export const demoAddresses = '@(people\\.)?demo\\.example$';
