/** What a demo instance offers on its sign-in page; made by the demo data. */
export const demoPassword = 'Power-Up-2026!';

export const demoAccounts = [
  { email: 'admin@demo.example', label: 'Admin' },
  { email: 'coach@demo.example', label: 'Coach' },
  { email: 'participant@demo.example', label: 'Participant' },
  { email: 'newcomer@demo.example', label: 'Newcomer' },
];
