/** A door ajar, and the light behind it. */
export function Door() {
  return (
    <svg className="door" viewBox="0 0 320 264" aria-hidden="true">
      <defs>
        <radialGradient id="glow" className="glow">
          <stop offset=".2" stopOpacity=".5" />
          <stop offset="1" stopOpacity="0" />
        </radialGradient>
      </defs>
      <ellipse fill="url(#glow)" cx="160" cy="132" rx="160" ry="132" />
      <ellipse className="floor" cx="160" cy="230" rx="150" ry="22" />
      <path className="light" d="M150 224h66l56 36H116z" />
      <path className="frame" d="M92 226V88a68 68 0 0 1 136 0v138z" />
      <path className="room" d="M104 224V88a56 56 0 0 1 112 0v136z" />
      <path className="leaf" d="M104 224V88c0-31 25-56 56-57v210z" />
      <path className="hinge" d="M104 96v14M104 190v14" />
      <circle className="knob" cx="149" cy="150" r="4.5" />
    </svg>
  );
}
