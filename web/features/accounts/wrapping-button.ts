/** Props of a button whose words may take a second line. On touch it keeps its height. */
export const wrappingButton = {
  mih: 'var(--button-height-sm)',
  h: 'auto',
  py: 6,
  styles: {
    label: { whiteSpace: 'normal', height: 'auto', overflow: 'visible', lineHeight: 1.4 },
  },
} as const;
