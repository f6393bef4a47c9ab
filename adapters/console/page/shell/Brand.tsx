/** The mark of Trunkline: a line that branches to many. */
export const Brand = () => (
  <svg viewBox="0 0 24 24" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="2.2" stroke-linecap="round" stroke-linejoin="round">
    <path d="M3 12h7M10 12c4 0 3.5-7 8-7M10 12h9M10 12c4 0 3.5 7 8 7" />
    <circle cx="20.5" cy="5" r="1.4" fill="currentColor" stroke="none" />
    <circle cx="21.2" cy="12" r="1.4" fill="currentColor" stroke="none" />
    <circle cx="20.5" cy="19" r="1.4" fill="currentColor" stroke="none" />
  </svg>
)
