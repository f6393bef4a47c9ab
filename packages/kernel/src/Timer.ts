/** The longest that a timer can be set to, in milliseconds. */
const LONGEST = 2_147_483_647

/**
 * Calls back after so many milliseconds by the timers of the process; the result calls it off. The process stays for it,
 * unless it waits `idly`.
 */
export const onTimer = (millis: number, callback: () => void, how: "firmly" | "idly" = "firmly"): () => void => {
  const handle = setTimeout(() => {
    if (millis > LONGEST) cancel = onTimer(millis - LONGEST, callback, how)
    else callback()
  }, Math.min(Math.max(0, millis), LONGEST))
  if (how === "idly") handle.unref()
  let cancel = () => clearTimeout(handle)
  return () => cancel()
}
