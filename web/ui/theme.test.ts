import { readFileSync } from 'node:fs';
import { DEFAULT_THEME, mergeMantineTheme } from '@mantine/core';
import { expect, test } from 'vitest';
import { cssVariables, theme } from './theme.ts';

const whole = mergeMantineTheme(DEFAULT_THEME, theme);
const given: Record<'light' | 'dark', Record<string, string>> = cssVariables(whole);

/** The color behind the names that stand for it. */
function colorOf(name: string, look: 'light' | 'dark'): string {
  const value = given[look][name] ?? kitColor(name);
  const [, inner] = /^var\((--[\w-]+)\)$/.exec(value) ?? [];
  return inner ? colorOf(inner, look) : value;
}

function kitColor(name: string): string {
  const [, hue = '', shade = ''] = /^--mantine-color-(\w+)-(\d)$/.exec(name) ?? [];
  const color = whole.colors[hue]?.[Number(shade)];
  if (!color) throw new Error(`${name} is no color of the theme.`);
  return color;
}

/** WCAG 2.2, relative luminance. */
function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrastOf(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** Grounds that controls stand on: cards, the page, the track of segments, and in the dark the inside of a field. */
const grounds = {
  light: ['--mantine-color-body', '--page-background', '--mantine-color-gray-1'],
  dark: ['--mantine-color-body', '--page-background', '--mantine-color-dark-8', '--mantine-color-dark-6'],
} as const;

test.each(['light', 'dark'] as const)(
  'the edges of controls and the ring of the focus stand out by 3:1: %s',
  (look) => {
    const low = ['--control-edge', '--focus-ring'].flatMap((name) =>
      grounds[look]
        .map((ground) => ({ name, ground, contrast: contrastOf(colorOf(name, look), colorOf(ground, look)) }))
        .filter(({ contrast }) => contrast < 3),
    );
    expect(low).toEqual([]);
  },
);

test.each(['light', 'dark'] as const)(
  'words, dimmed words, statuses and refusals are readable at 4.5:1: %s',
  (look) => {
    const names = ['dimmed', 'placeholder', 'anchor', 'error'].map((name) => `--mantine-color-${name}`);
    const low = [...names, '--status-success', '--status-warning', '--status-danger'].flatMap((name) =>
      ['--mantine-color-body', '--page-background']
        .map((ground) => ({ name, ground, contrast: contrastOf(colorOf(name, look), colorOf(ground, look)) }))
        .filter(({ contrast }) => contrast < 4.5),
    );
    expect(low).toEqual([]);
  },
);

test.each(['light', 'dark'] as const)(
  'buttons of words alone look as links do, at 4.5:1 on a card and under the pointer too: %s',
  (look) => {
    const colors = (color: string) => theme.variantColorResolver?.({ color, variant: 'subtle', theme: whole });
    expect(colors('indigo')?.color).toBe('var(--mantine-color-anchor)');
    expect(colors('gray')?.color).not.toBe('var(--mantine-color-anchor)');
    expect(['indigo', 'red'].map((name) => colors(name)?.hover)).toEqual(['var(--entry-hover)', 'var(--entry-hover)']);
    const card = look === 'light' ? '--mantine-color-body' : '--mantine-color-dark-6';
    for (const words of ['--mantine-color-anchor', '--status-danger']) {
      for (const ground of [card, '--entry-hover']) {
        expect(contrastOf(colorOf(words, look), colorOf(ground, look))).toBeGreaterThanOrEqual(4.5);
      }
    }
  },
);

test.each(['light', 'dark'] as const)(
  'what a meter fills stands out from its track and from a card by 3:1: %s',
  (look) => {
    const card = look === 'light' ? '--mantine-color-body' : '--mantine-color-dark-6';
    for (const ground of ['--meter-track', card]) {
      expect(contrastOf(colorOf('--meter-info', look), colorOf(ground, look))).toBeGreaterThanOrEqual(3);
    }
  },
);

test.each(['light', 'dark'] as const)(
  "in the grid of a coach's weeks each mark stands out from a cell of any color: %s",
  (look) => {
    const ground = colorOf(look === 'light' ? '--mantine-color-body' : '--mantine-color-dark-6', look);
    const tones = ['--status-success', '--status-warning', '--status-danger', '--mantine-color-anchor'];
    const colors = [...tones, '--mantine-color-dimmed'].map((name) => colorOf(name, look));
    const contrasts = colors.flatMap((mark) => colors.map((cell) => contrastOf(mark, mixOf(cell, ground, 0.09))));
    expect(Math.min(...contrasts)).toBeGreaterThanOrEqual(4.5);
  },
);

/** As `color-mix(in srgb, …)` does it. */
function mixOf(one: string, other: string, share: number): string {
  const parts = [1, 3, 5].map((at) => {
    const [first, second] = [one, other].map((color) => Number.parseInt(color.slice(at, at + 2), 16));
    return Math.round(share * (first ?? 0) + (1 - share) * (second ?? 0))
      .toString(16)
      .padStart(2, '0');
  });
  return `#${parts.join('')}`;
}

test.each(['light', 'dark'] as const)('an offered half hour stands out from one that is not by 3:1: %s', (look) => {
  const rules = readFileSync('web/features/coaching/TimesGrid.module.css', 'utf8');
  const [open = '', offered = ''] = ['.cell', '.cell[aria-selected="true"]'].map((selector) => {
    const rule = rules.split(`\n${selector} {`)[1]?.split('}')[0] ?? '';
    const [, light = '', dark = ''] = /background: light-dark\(var\((.+?)\), var\((.+?)\)\)/.exec(rule) ?? [];
    return colorOf(look === 'light' ? light : dark, look);
  });
  expect(contrastOf(open, offered)).toBeGreaterThanOrEqual(3);
  expect(contrastOf('#ffffff', offered)).toBeGreaterThanOrEqual(4.5);
});

test('fields, boxes, switches, tabs, segments and whatever has the focus take these colors', () => {
  const rules = readFileSync('web/ui/control-edges.css', 'utf8');
  for (const rule of [
    '--input-bd: var(--control-edge)',
    '.mantine-Dropzone-root) {\n  border-color: var(--control-edge)',
    '--input-bd-focus: var(--focus-ring)',
    'border-color: var(--control-edge)',
    '--switch-bg: var(--control-edge)',
    'box-shadow: inset 0 0 0 1px var(--control-edge)',
    'border-color: var(--focus-ring)',
    'outline-color: var(--focus-ring)',
  ]) {
    expect(rules).toContain(rule);
  }
});
