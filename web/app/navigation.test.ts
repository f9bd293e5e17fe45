import { expect, test } from 'vitest';
import { navigation } from './navigation.ts';

const entriesOf = (role: keyof typeof navigation) => navigation[role].map(({ label, to }) => [label, to]);

test('ROUTE-24 ROUTE-27 SEC1-08 the entries of a participant, in order, and where they lead', () => {
  expect(entriesOf('participant')).toEqual([
    ['Dashboard', '/dashboard'],
    ['My Activities', '/training-calendar'],
    ['Resources', '/resources'],
    ['Messages', '/cohorts'],
    ['My Files', '/fellowship/modules'],
    ['Submissions', '/submissions'],
  ]);
});

test('ROUTE-25 ROUTE-27 SEC1-09 the entries of a coach, in order, and where they lead', () => {
  expect(entriesOf('coach')).toEqual([
    ['Dashboard', '/dashboard'],
    ['Training Calendar', '/training-calendar'],
    ['Resources', '/resources'],
    ['Messages', '/cohorts'],
    ['Submissions', '/submissions'],
  ]);
});

test('ROUTE-26 ROUTE-27 ROUTE-28 SEC1-07 the entries of an admin, in order, and where they lead', () => {
  expect(entriesOf('admin')).toEqual([
    ['Dashboard', '/dashboard'],
    ['Training Calendar', '/training-calendar'],
    ['Messages', '/cohorts'],
    ['Bulk User Creation', '/admin/bulk-invitations'],
    ['User Management', '/admin/user-management'],
    ['Training Management', '/admin/training-management'],
    ['Content Management', '/admin/content-management'],
    ['Resources Management', '/admin/resources-management'],
    ['Stipend Management', '/admin/stipend-management'],
    ['Submissions', '/submissions'],
  ]);
});
