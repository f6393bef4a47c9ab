/** Paths of the icons, drawn for a box of 24 with a stroke of 1.75. */
const paths = {
  home: "M3 11.5 12 4l9 7.5M5.5 10v9.5h13V10",
  megaphone: "M4 10v4h3l8 4.5v-13L7 10zM18.5 9.5a3.5 3.5 0 0 1 0 5M7 14l1.5 5.5h3",
  phone: "M6 3.5h3.5l1.5 4.5-2.3 1.6a11 11 0 0 0 5.7 5.7L16 13l4.5 1.5V18a2.5 2.5 0 0 1-2.7 2.5A15.5 15.5 0 0 1 3.5 6.2 2.5 2.5 0 0 1 6 3.5z",
  hangUp: "M3 14.5c0-5.5 18-5.5 18 0v2l-5-1v-2.3a14 14 0 0 0-8 0v2.3l-5 1z",
  bot: "M12 4v3M6.5 7h11A1.5 1.5 0 0 1 19 8.5v9a1.5 1.5 0 0 1-1.5 1.5h-11A1.5 1.5 0 0 1 5 17.5v-9A1.5 1.5 0 0 1 6.5 7zM9.5 12v1.5M14.5 12v1.5M2.5 12v3M21.5 12v3",
  inbox: "M4 13.5 6.5 5h11l2.5 8.5V19H4zM4 13.5h5l1 2.5h4l1-2.5h5",
  chart: "M4 20V4M4 20h16M8.5 16v-4M13 16V8M17.5 16v-6",
  book: "M5 4.5h9.5a4 4 0 0 1 4 4V20H9a4 4 0 0 1-4-4zM5 16a3 3 0 0 1 3-3h10.5",
  wave: "M4 10v4M8 7v10M12 4v16M16 8v8M20 10.5v3",
  chat: "M4.5 5h15v11h-8L7 20v-4H4.5z",
  key: "M14.5 4.5a5 5 0 1 1-4.6 6.9L4 17.3V20h3v-2h2v-2h1.5l1.2-1.2a5 5 0 0 1 2.8-10.3zM16 8.5v.01",
  pause: "M8 5v14M16 5v14",
  play: "M7 4.5 19 12 7 19.5z",
  stop: "M6 6h12v12H6z",
  plus: "M12 5v14M5 12h14",
  close: "M6 6l12 12M18 6 6 18",
  check: "M5 12.5 10 17.5 19.5 7",
  warning: "M12 4 2.5 20h19zM12 10v4.5M12 17.3v.01",
  info: "M12 3.5a8.5 8.5 0 1 1 0 17 8.5 8.5 0 0 1 0-17zM12 11v5M12 8v.01",
  code: "M8.5 7 3.5 12l5 5M15.5 7l5 5-5 5",
  search: "M10.5 4a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13zM15.5 15.5 20.5 20.5",
  menu: "M4 6.5h16M4 12h16M4 17.5h16",
  moon: "M19.5 14.5A8 8 0 0 1 9.5 4.5a8 8 0 1 0 10 10z",
  out: "M10 4H4.5v16H10M15 8l4.5 4-4.5 4M19 12H9",
  arrow: "M5 12h14M13 6l6 6-6 6",
  frame: "M4 5h16v14H4zM4 9.5h16M7 7.2v.01",
  refresh: "M20 11.5a8 8 0 1 0-2.4 6.2M20 5v6.5h-6.5",
  pencil: "M14.5 5.5l4 4L8.5 19.5l-5 1 1-5zM12.5 7.5l4 4",
  copy: "M9 9h10.5v10.5H9zM5 15H4V4.5h10.5V5.5",
  upload: "M12 16V4.5M7 9l5-5 5 5M4.5 15.5V20h15v-4.5"
} as const

export type IconName = keyof typeof paths

/** An icon beside a text that says the same, so screen readers skip it. */
export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d={paths[name]} /></svg>
)
