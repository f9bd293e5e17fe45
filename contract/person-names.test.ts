import { expect, test } from 'vitest';
import { recordErrors } from './imports.ts';
import { personName } from './person-names.ts';

const schema = personName('Please enter a name');

test.for([
  ['Click http://evil.example', 'addresses'],
  ['see HTTPS://EVIL.example/a', 'addresses'],
  ['WWW.evil.example', 'addresses'],
  ['Ada\nYour account is locked', 'line breaks'],
  ['Ada\u202Egnihtemos', 'line breaks'],
  ['Ada\u2066x\u2069', 'line breaks'],
  ['Ada\u2028x', 'line breaks'],
  ['A\u200Bda', 'line breaks'],
  ['A\u0007da', 'line breaks'],
] as const)('a name is no place for an address or an invisible mark: %j', ([name, why]) => {
  const { error } = schema.safeParse(name);
  expect(error?.issues[0]?.message).toContain(why);
  const record = { first_name: name, last_name: name, email: 'a@b.example', program: '', cohort: '', role: 'coach' };
  expect(recordErrors(record, []).filter((message) => message.includes(why))).toHaveLength(2);
});

test.for(['Ada', "O'Brien-Núñez", 'Łukasz', '李小龍', 'محمد', 'Wwwhite', 'Dr. Ng', 'Anne-Marie d’Arc', 'क्\u200Dष'])(
  'a name as people have it stays: %s',
  (name) => expect(schema.parse(` ${name} `)).toBe(name),
);
