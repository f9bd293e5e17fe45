import { expect, test } from 'vitest';
import { findCirclesOfBuiltFiles } from './build-web.ts';

test('built files that need each other are found, by way of a third one too, and files in a row are not', () => {
  const entry = { imports: ['screen.js'] };
  const shared = { imports: ['kit.js'] };
  expect(findCirclesOfBuiltFiles({ entry, 'screen.js': shared, 'kit.js': {}, 'style.css': {} })).toEqual([]);
  expect(
    findCirclesOfBuiltFiles({ entry, 'screen.js': shared, 'kit.js': { imports: ['form.js'] }, 'form.js': entry }),
  ).toEqual([['form.js', 'kit.js', 'screen.js']]);
});
