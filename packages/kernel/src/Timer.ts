/** The longest that a timer can be set to, in milliseconds. */
const LONGEST = 2_147_483_647

/** Calls back after so many milliseconds by the timers of the process; the result calls it off. */
export const onTimer = (millis: number, callback: () => void): () => void => {
  const handle = setTimeout(() => {
    if (millis > LONGEST) cancel = onTimer(millis - LONGEST, callback)
    else callback()
  }, Math.min(Math.max(0, millis), LONGEST))
  let cancel = () => clearTimeout(handle)
  return () => cancel()
}
