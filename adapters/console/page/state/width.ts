import { computed, signal } from "@preact/signals"

/** Matches of a media query, as long as the page lives. */
const matchesOf = (query: string) => {
  const media = matchMedia(query)
  const matches = signal(media.matches)
  media.addEventListener("change", () => (matches.value = media.matches))
  return matches
}

const isNarrow = matchesOf("(max-width: 640px)")
const isMedium = matchesOf("(max-width: 900px)")

/** Width of the window: 0 for a phone, 1 for a tablet, 2 for a desk. */
export const width = computed(() => (isNarrow.value ? 0 : isMedium.value ? 1 : 2))
