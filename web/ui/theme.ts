import {
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
  type VariantColorsResolver,
} from '@mantine/core';
import { fontFamily } from './font.ts';

const indigo: MantineColorsTuple = [
  '#eef1fc',
  '#dce2f6',
  '#b6c2ec',
  '#8da0e1',
  '#6b83d8',
  '#5570d2',
  '#4966d0',
  '#3a56b9',
  '#2f4cb3',
  '#22398a',
];
const slate: MantineColorsTuple = [
  '#f7f9fb',
  '#eef1f5',
  '#e1e6ec',
  '#ccd4dd',
  '#a9b4c1',
  '#7d8a99',
  '#5d6a79',
  '#475361',
  '#2f3945',
  '#1d252e',
];
const night: MantineColorsTuple = [
  '#dfe5ee',
  '#b6c0cd',
  '#94a1b2',
  '#66758a',
  '#3c4a5d',
  '#2c3848',
  '#212b39',
  '#18202c',
  '#121923',
  '#0c121a',
];

/**
 * Light variants as status uses them, and buttons of red words, are readable at 4.5:1 in both schemes. Other buttons of
 * words look as links do.
 */
const variantColors: VariantColorsResolver = (input) => {
  const colors = defaultVariantColorsResolver(input);
  const ofWords = { ...colors, hover: 'var(--entry-hover)' };
  if (input.variant === 'subtle' && input.color === 'red') return { ...ofWords, color: 'var(--status-danger)' };
  if (input.variant === 'subtle' && (input.color ?? input.theme.primaryColor) === input.theme.primaryColor) {
    return { ...ofWords, color: 'var(--mantine-color-anchor)' };
  }
  if (input.variant !== 'light') return colors;
  const name = input.color ?? input.theme.primaryColor;
  if (!(name in input.theme.colors)) return colors;
  return {
    ...colors,
    ...lightColors(name),
    hover: `light-dark(var(--mantine-color-${name}-1), color-mix(in srgb, var(--mantine-color-${name}-9) 55%, #121923))`,
  };
};

export function lightColors(name: string) {
  return {
    background: `light-dark(color-mix(in srgb, var(--mantine-color-${name}-1) 60%, white), color-mix(in srgb, var(--mantine-color-${name}-9) 35%, #121923))`,
    color: `light-dark(color-mix(in srgb, var(--mantine-color-${name}-9) 70%, black), color-mix(in srgb, var(--mantine-color-${name}-2) 70%, white))`,
  };
}

export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: { light: 8, dark: 7 },
  colors: { indigo, gray: slate, dark: night },
  fontFamily,
  headings: {
    fontFamily,
    fontWeight: '650',
    sizes: {
      h1: { fontSize: '1.625rem', lineHeight: '1.25' },
      h2: { fontSize: '1.125rem', lineHeight: '1.35' },
      h3: { fontSize: '1rem', lineHeight: '1.4' },
    },
  },
  defaultRadius: 'md',
  radius: { md: '8px', lg: '10px' },
  cursorType: 'pointer',
  focusRing: 'auto',
  respectReducedMotion: true,
  variantColorResolver: variantColors,
  components: {
    Modal: {
      defaultProps: { closeButtonProps: { 'aria-label': 'Close' }, centered: true, radius: 'lg' },
      // A title that names a person can take several lines.
      styles: { title: { lineHeight: 1.3 } },
    },
    // A header element would count as a banner of the page.
    ModalHeader: { defaultProps: { component: 'div' } },
    Drawer: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
    // A choice that is longer than its field ends in dots, not in the middle of a letter.
    // Its choices are in the page only while it is open: a screen has several, each with dozens.
    Select: {
      defaultProps: { comboboxProps: { keepMounted: false } },
      styles: { input: { textOverflow: 'ellipsis' } },
    },
    // An open menu is content of the page, and has nothing in it but its acts. The first of them takes the focus.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false, portalProps: { target: 'main' } } },
    Card: { defaultProps: { withBorder: true, shadow: 'none', radius: 'lg', padding: 'lg' } },
    Paper: { defaultProps: { radius: 'lg' } },
    Progress: {
      defaultProps: { color: 'var(--meter-info)' },
      styles: { root: { background: 'var(--meter-track)' } },
    },
    Badge: { defaultProps: { variant: 'light', tt: 'none', radius: 'sm', fw: 600 } },
  },
});

export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-body': '#ffffff',
    '--mantine-color-error': 'var(--mantine-color-red-9)',
    '--mantine-color-dimmed': 'var(--mantine-color-gray-7)',
    '--mantine-color-placeholder': 'var(--mantine-color-gray-6)',
    '--mantine-color-anchor': 'var(--mantine-color-indigo-8)',
    '--page-background': 'var(--mantine-color-gray-0)',
    '--control-edge': 'var(--mantine-color-gray-5)',
    '--focus-ring': 'var(--mantine-color-indigo-8)',
    '--status-success': '#0b7a5c',
    '--status-warning': '#8a5300',
    '--status-danger': '#b42318',
    '--meter-info': 'var(--mantine-color-indigo-8)',
    '--meter-success': '#0e9f79',
    '--meter-warning': '#c77700',
    '--meter-track': 'var(--mantine-color-gray-2)',
    '--entry-hover': 'var(--mantine-color-gray-1)',
    '--entry-here': 'var(--mantine-color-indigo-1)',
    '--entry-here-text': 'var(--mantine-color-indigo-9)',
  },
  dark: {
    '--mantine-color-body': '#121923',
    '--mantine-color-error': '#ff9c92',
    '--mantine-color-dimmed': 'var(--mantine-color-dark-2)',
    '--mantine-color-placeholder': 'var(--mantine-color-dark-2)',
    '--mantine-color-anchor': 'var(--mantine-color-indigo-3)',
    '--mantine-color-disabled': 'var(--mantine-color-dark-5)',
    '--mantine-color-disabled-color': 'var(--mantine-color-dark-2)',
    '--page-background': '#0c121a',
    '--control-edge': 'var(--mantine-color-dark-3)',
    '--focus-ring': 'var(--mantine-color-indigo-4)',
    '--status-success': '#5fd3ae',
    '--status-warning': '#f2b759',
    '--status-danger': '#ff9c92',
    '--meter-info': 'var(--mantine-color-indigo-4)',
    '--meter-success': '#2fbf94',
    '--meter-warning': '#e09a2d',
    '--meter-track': 'var(--mantine-color-dark-5)',
    '--entry-hover': 'var(--mantine-color-dark-6)',
    '--entry-here': 'color-mix(in srgb, var(--mantine-color-indigo-8) 45%, transparent)',
    '--entry-here-text': '#dfe6fb',
  },
});
