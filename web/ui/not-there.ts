import type { Role } from '#contract/roles.ts';

/** Why something may not be there, as a coach, a participant or an admin reads it. Nothing is kept from admins. */
export function whyNotThere(role: Role, subject: string, kept: string): string {
  return `${subject} does not exist, or ${role === 'admin' ? 'was deleted' : kept}.`;
}

/** As `whyNotThere`, of what a program teaches. */
export function whyNotTaught(role: Role): string {
  return whyNotThere(role, 'It', role === 'participant' ? 'it is not part of your program' : 'it is not open to you');
}
