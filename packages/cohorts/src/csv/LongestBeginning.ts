/** What the attempt makes of the longest beginning, in units of its length, at which it does not throw; it never does at 0. */
export const ofLongestBeginning = <A>(length: number, attempt: (length: number) => A): A => {
  let made = attempt(0)
  let [good, bad] = [0, length + 1]
  while (bad - good > 1) {
    const middle = (good + bad) >> 1
    try {
      made = attempt(middle)
      good = middle
    } catch {
      bad = middle
    }
  }
  return made
}
