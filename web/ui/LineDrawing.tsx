/** Lines that meet in a node. This is the product's own drawing for empty states. */
export function LineDrawing() {
  return (
    <svg width="120" height="72" viewBox="0 0 120 72" fill="none" aria-hidden="true" focusable="false">
      <g stroke="var(--mantine-color-gray-4)" strokeWidth="2" strokeLinecap="round">
        <path d="M4 18h34l22 18h56" />
        <path d="M4 54h34l22-18" />
        <path d="M78 36l14-18h24" />
        <path d="M78 36l14 18h24" strokeDasharray="4 6" />
      </g>
      <circle
        cx="60"
        cy="36"
        r="7"
        fill="var(--mantine-color-body)"
        stroke="var(--mantine-primary-color-filled)"
        strokeWidth="2.5"
      />
      <circle cx="78" cy="36" r="3" fill="var(--mantine-primary-color-filled)" />
    </svg>
  );
}
