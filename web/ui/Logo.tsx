/** Straight lines that meet in a node, drawn on a grid of 16. */
export function Logo({ size = 28 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false" style={{ flexShrink: 0 }}>
      <rect width="32" height="32" rx="8" fill="#2f4cb3" />
      <g stroke="#fff" strokeWidth="2.6" strokeLinecap="round" fill="none">
        <path d="M6 10h6l4 6h10" />
        <path d="M6 22h6l4-6" />
        <path d="M20 16l4 6h2" opacity="0.75" />
      </g>
      <circle cx="16" cy="16" r="3.4" fill="#fff" />
    </svg>
  );
}
