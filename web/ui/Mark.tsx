import { marks } from './marks.ts';

export function Mark({ name, size }: { name: keyof typeof marks; size: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={2.2}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden
    >
      <path d={marks[name]} />
    </svg>
  );
}
