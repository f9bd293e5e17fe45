const circle = 'M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18';

/** Drawn in a square of 24. Each is one path, because a long table has several in every row. */
export const marks = {
  check: `${circle}M8 12.5l2.8 2.8L16 9.8`,
  cross: `${circle}M9 9l6 6M15 9l-6 6`,
  slash: `${circle}M5.6 5.6l12.8 12.8`,
  alert: `${circle}M12 8v4.5M12 16h.01`,
  clock: `${circle}M12 7.5V12l3 1.8`,
  info: `${circle}M12 16v-4.5M12 8h.01`,
  dot: `${circle}M12 12h.01`,
  pencil: 'M4 20l1-4.5L16 4.5a2.1 2.1 0 0 1 3.5 3.5L8.5 19L4 20M14 6.5l3.5 3.5',
};

/** The mark as a mask for CSS, so that it needs no element of its own. */
export function markImage(name: keyof typeof marks): string {
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="#000" stroke-width="2.2" stroke-linecap="round" stroke-linejoin="round"><path d="${marks[name]}"/></svg>`;
  return `url("data:image/svg+xml,${encodeURIComponent(drawing)}")`;
}
