/** The slipway of the mark, drawn large: rails that run down into the water line. */
export function Backdrop() {
  return (
    <svg
      viewBox="0 0 1440 900"
      preserveAspectRatio="xMidYMax slice"
      className="pointer-events-none absolute inset-0 -z-10 size-full"
      aria-hidden="true"
    >
      <defs>
        <linearGradient id="backdrop-glow" x1="0" y1="0" x2="1" y2="1">
          <stop offset="0" stopColor="#0b1f24" />
          <stop offset="1" stopColor="#0d3a43" />
        </linearGradient>
        <linearGradient id="backdrop-rail" x1="0" y1="0" x2="1" y2="0">
          <stop offset="0" stopColor="#7fe3e4" stopOpacity="0" />
          <stop offset="0.45" stopColor="#7fe3e4" stopOpacity="0.32" />
          <stop offset="1" stopColor="#7fe3e4" stopOpacity="0.06" />
        </linearGradient>
      </defs>
      <rect width="1440" height="900" fill="url(#backdrop-glow)" />
      <g stroke="url(#backdrop-rail)" strokeWidth="2" fill="none">
        <path d="M-40 560 1500 830" />
        <path d="M-40 612 1500 868" />
        {Array.from({ length: 22 }, (_, index) => {
          const x = index * 70 - 30;
          const y = 560 + (x + 40) * 0.1753;
          return <path key={x} d={`M${x} ${y}l-7 ${52 - index * 0.55}`} strokeOpacity="0.55" />;
        })}
      </g>
      <path d="M0 846c120-14 240 14 360 0s240-14 360 0 240 14 360 0 240-14 360 0v54H0Z" fill="#0a2a31" fillOpacity="0.9" />
    </svg>
  );
}
