/**
 * This password is public: the README has it, and so does the sign-in page of demo instances, beside these accounts.
 */
export const demoPassword = 'Power-Up-2026!';

export const demoAccounts = [
  { email: 'admin@demo.example', label: 'Admin' },
  { email: 'coach@demo.example', label: 'Coach' },
  { email: 'participant@demo.example', label: 'Participant' },
  { email: 'apprentice@demo.example', label: 'Apprentice' },
  { email: 'newcomer@demo.example', label: 'Newcomer' },
];

/** A pattern of PostgreSQL. Nobody real has such an address (RFC 2606). */
export const demoAddresses = '@(people\\.)?demo\\.example$';
