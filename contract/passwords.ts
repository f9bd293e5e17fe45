/** Fixed set of AUTH-31. */
export const specialCharacters = '!@#$%^&*()_+-=[]{};\':|,.<>/?\\"';
/** AUTH-13 */
export const registerPasswordLength = 6;
/** AUTH-31, PWD-04, SUPER-04 */
export const passwordLength = 8;

export interface PasswordRule {
  key: 'length' | 'uppercase' | 'lowercase' | 'digit' | 'special' | 'match';
  label: string;
  isMet: boolean;
}

/** The six requirements of reset and set-password (AUTH-31), in the order the checklist shows them. */
export function resetPasswordRules(password: string, confirmation: string): PasswordRule[] {
  return [
    ...changePasswordRules(password, confirmation).slice(0, 4),
    {
      key: 'special',
      label: 'A special character',
      isMet: [...password].some((character) => specialCharacters.includes(character)),
    },
    matchRule(password, confirmation),
  ];
}

/** The requirements of Change Password (PWD-04 to PWD-06): no special character needed. */
export function changePasswordRules(password: string, confirmation: string): PasswordRule[] {
  return [
    { key: 'length', label: `At least ${passwordLength} characters`, isMet: password.length >= passwordLength },
    { key: 'uppercase', label: 'An uppercase letter', isMet: /[A-Z]/.test(password) },
    { key: 'lowercase', label: 'A lowercase letter', isMet: /[a-z]/.test(password) },
    { key: 'digit', label: 'A digit', isMet: /\d/.test(password) },
    matchRule(password, confirmation),
  ];
}

export function areRulesMet(rules: PasswordRule[]): boolean {
  return rules.every((rule) => rule.isMet);
}

function matchRule(password: string, confirmation: string): PasswordRule {
  return { key: 'match', label: 'Both passwords match', isMet: password.length > 0 && password === confirmation };
}
