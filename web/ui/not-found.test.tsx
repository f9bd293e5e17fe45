import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { alerts, draw } from '#test/support/draw.tsx';
import { Somewhere } from '#test/support/somewhere.tsx';
import { paths } from '../app/paths.ts';
import { NotFound } from './NotFound.tsx';

test('what is not there is said calmly, in the heading and the tab, with one way back and no other try', () => {
  draw(
    <Somewhere>
      <NotFound thing="Person" back={{ to: paths.cohortProgress, label: 'Go to Cohort Progress' }}>
        This person does not exist.
      </NotFound>
    </Somewhere>,
  );
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Person not found');
  expect(document.title).toBe('Person not found · Switchyard');
  expect(alerts()).toEqual([]);
  expect(screen.queryAllByRole('button')).toEqual([]);
  expect(screen.getByRole('link', { name: 'Go to Cohort Progress' }).getAttribute('href')).toBe('/cohort-progress');
});
