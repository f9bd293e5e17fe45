import type { AuditEntry } from '#contract/audit.ts';
import { formatCents } from '#contract/money.ts';
import { formatDay, formatTime } from '../../ui/dates.ts';

/** Phrases for actions whose subject and verb would read oddly side by side. */
const phrases: Record<string, string> = {
  'audit.export': 'Exported the audit log',
  'assignment.order': 'Put assignments in another order',
  'attendance.correction_accepted': 'Confirmed that attendance was recorded correctly',
  'attendance.correction_declined': 'Declined to correct attendance',
  'attendance.record': 'Recorded attendance',
  'attendance.remove': 'Took attendance back',
  'cohort.ask_one_approver': 'Asked for only one approver for a cohort',
  'cohort.enrol': 'Enrolled in a cohort',
  'cohort.keep_second_approver': 'Kept the second approver of a cohort',
  'cohort.set_second_approver': 'Set whether a cohort needs a second approver',
  'content.create': 'Created contents',
  'content.delete': 'Deleted contents',
  'content.order': 'Put contents in another order',
  'content.update': 'Updated contents',
  'conversation.open': 'Opened a conversation to read it',
  'email.change': 'Changed the email address',
  'email.confirm': 'Confirmed the email address',
  'identity.link': 'Linked a way to sign in',
  'identity.unlink': 'Unlinked a way to sign in',
  'import.end': 'Bulk upload ended',
  'import.start': 'Started a bulk upload',
  'invitation.renew': 'Sent the invitation again',
  'invitation.resend': 'Sent the invitation again',
  'attendance.excuse': 'Excused an absence',
  'attendance.take_excuse_back': 'Took an excuse back',
  'module.complete': 'Set a module to complete',
  'module.take_back': 'Set a module back to open',
  'name.change': 'Changed their own name',
  'note.open': 'Read a restricted note',
  'note.remove': 'Removed a note',
  'note.write': 'Wrote a note',
  'password.change': 'Changed the password',
  'password.set': 'Set a password',
  'performance.rate': 'Rated a week',
  'profile.create': 'Made a missing profile',
  'recovery_code.use': 'Used a recovery code',
  'recovery_codes.renew': 'Renewed the recovery codes',
  'rules.discard': 'Threw a draft of rules away',
  'rules.draft': 'Drafted rules',
  'rules.first_publish': 'Published rules, as the first of two admins',
  'rules.publish': 'Published rules',
  'second_factor.remove': 'Removed the second factor',
  'second_factor.turn_off': 'Turned the second factor off',
  'second_factor.turn_on': 'Turned the second factor on',
  'session.cancel': 'Cancelled a coaching session',
  'session.change_coach': 'Handed a coaching session to another coach',
  'session.end': 'Ended a sign-in',
  'session.end_all': 'Signed out everywhere',
  'session.end_others': 'Ended all other sign-ins',
  'session.update': 'Updated a coaching session',
  'sign_in_policy.change': 'Changed who needs a second factor',
  'stipend.approve_amount': 'Approved the new amount of a stipend',
  'stipend.renew_payee': 'Updated whom a stipend is paid to',
  'stipend.answer_question': 'Answered a question about a stipend',
  'stipend.change_amount': 'Changed the amount of a stipend',
  'stipend.close_question': 'Closed a question about a stipend',
  'stipend.deny': 'Denied a stipend',
  'stipend.export': 'Exported stipends',
  'stipend.hand_over': 'Handed a stipend over for payment',
  'stipend.hand_over_again': 'Handed a stipend over again',
  'stipend.pay': 'Marked a stipend as paid',
  'user.change_role': 'Changed the role of a person',
  'user.export': 'Exported the list of people',
  'user.register': 'Registered',
};

/** The past tense of a verb's first word. Other verbs get -ed. */
const pastOf: Record<string, string> = {
  copy: 'copied',
  deny: 'denied',
  make: 'made',
  retry: 'retried',
  send: 'sent',
  set: 'set',
  stop: 'stopped',
  pay: 'paid',
  submit: 'submitted',
  take: 'took',
  undo: 'undid',
  withdraw: 'withdrew',
};

/** 'Approved a role request' for `role_request.approve`. */
export function actionInWords(action: string): string {
  const phrase = phrases[action];
  if (phrase) return phrase;
  const [subject = '', verb = ''] = action.split('.');
  const [first = '', ...rest] = verb.split('_');
  const past = pastOf[first] ?? (first.endsWith('e') ? `${first}d` : `${first}ed`);
  const noun = subject.replaceAll('_', ' ');
  const article = /s$/.test(noun) && !/ss$/.test(noun) ? '' : /^[aeiou](?!ser)/.test(noun) ? 'an ' : 'a ';
  return capital([past, `${article}${noun}`, ...rest].join(' '));
}

const kinds: Record<string, string> = {
  bulk_import: 'Bulk upload',
  content_submission: 'Submission',
  performance_feedback: 'Weekly rating',
  person: 'Person',
  sign_in_policy: 'Sign-in rule',
};

export function kindInWords(kind: string): string {
  return kinds[kind] ?? capital(kind.replaceAll('_', ' '));
}

export interface Change {
  label: string;
  /** Null if there was nothing before, or if nothing is known of it, or if it did not change. */
  from: string | null;
  to: string;
}

/** Says in words what a fact was and what it is. A fact that did not change has one value. */
export function changesOf(
  { before, after }: Pick<AuditEntry, 'before' | 'after'>,
  names: Record<string, string>,
): Change[] {
  const keys = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return keys.map((key) => {
    const [was, is] = [before, after].map((facts) =>
      facts && key in facts ? valueInWords(key, facts[key], names) : undefined,
    );
    const to = is ?? was ?? '';
    return { label: labelOf(key), from: was === undefined || was === to ? null : was, to };
  });
}

const labels: Record<string, string> = { by: 'Through', records: 'Records', refused: 'Refused records' };

function labelOf(key: string): string {
  const words = key
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase();
  return labels[key] ?? capital(words.replace(/ (ids?|cents)$/, ''));
}

function valueInWords(key: string, value: unknown, names: Record<string, string>): string {
  if (value === null || value === undefined || value === '') return 'none';
  if (Array.isArray(value)) return value.map((item) => valueInWords(key, item, names)).join(', ') || 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return /cents$/i.test(key) ? formatCents(value) : String(value);
  if (typeof value === 'string') return textInWords(value, names);
  return JSON.stringify(value);
}

function textInWords(text: string, names: Record<string, string>): string {
  if (names[text]) return names[text];
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return formatDay(text, { withYear: true });
  if (/^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:?\d\d)$/.test(text))
    return `${formatDay(text, { withYear: true })}, ${formatTime(text)}`;
  return /^[a-z]+(_[a-z]+)+$/.test(text) ? text.replaceAll('_', ' ') : text;
}

function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
