/** Conversations of one arm, and those of them that reached the aim. */
export interface ArmCounts {
  readonly conversations: number
  readonly successes: number
}

/** The counts of both arms of a canary. */
export interface CanaryFigures {
  readonly control: ArmCounts
  readonly canary: ArmCounts
}

/** The counts of an arm without conversations. */
const noConversations: ArmCounts = { conversations: 0, successes: 0 }

/** The counts of a canary without conversations. */
export const noFigures: CanaryFigures = { control: noConversations, canary: noConversations }

/** Share of conversations that reached the aim; 0 without any. */
export const shareOf = ({ conversations, successes }: ArmCounts): number =>
  conversations === 0 ? 0 : successes / conversations

/** Largest number whose factorial is computed as a product; Stirling's series is exact to the last digits above it. */
const maxProduct = 20

/** Natural logarithm of the factorial of `n`. */
const logFactorial = (n: number): number => {
  if (n > maxProduct) {
    return n * Math.log(n) - n + Math.log(2 * Math.PI * n) / 2 + 1 / (12 * n) - 1 / (360 * n ** 3) + 1 / (1260 * n ** 5)
  }
  let product = 1
  for (let factor = 2; factor <= n; factor++) product *= factor
  return Math.log(product)
}

/** Logarithm of the likelihood of an arm's outcomes in their order, averaged over all success shares alike. */
const logAverage = ({ conversations, successes }: ArmCounts): number =>
  logFactorial(successes) + logFactorial(conversations - successes) - logFactorial(conversations + 1)

const times = (count: number, logarithm: number): number => count === 0 ? 0 : count * logarithm

/** Logarithm of the likelihood of an arm's outcomes in their order, at one success share. */
const logLikelihood = ({ conversations, successes }: ArmCounts, share: number): number =>
  times(successes, Math.log(share)) + times(conversations - successes, Math.log1p(-share))

const sumOf = ({ canary, control }: CanaryFigures): ArmCounts => ({
  conversations: canary.conversations + control.conversations,
  successes: canary.successes + control.successes
})

/**
 * Natural logarithm of the evidence that the canary's share of successes is lower than the control's: an e-process for the
 * hypothesis that it is not. Whatever the two shares are, as long as the canary's is not lower, the evidence ever exceeds
 * `1 / alpha` with a probability of at most `alpha`, however often it is looked at (Ville's inequality). The arms may come in
 * any order and proportion, as only outcomes are modelled.
 *
 * The numerator averages the likelihood over all pairs of shares; the denominator is the highest likelihood of the
 * hypothesis. This is the sequential form of universal inference: Wasserman, Ramdas and Balakrishnan, "Universal inference",
 * PNAS 117 (2020), section 8. Robbins, "Statistical methods related to the law of the iterated logarithm", Annals of
 * Mathematical Statistics 41 (1970), has the average over shares.
 */
export const logEvidence = (figures: CanaryFigures): number => {
  const { canary, control } = figures
  const isLower = canary.successes * control.conversations < control.successes * canary.conversations
  const together = sumOf(figures)
  const highest = isLower
    ? logLikelihood(together, shareOf(together))
    : logLikelihood(canary, shareOf(canary)) + logLikelihood(control, shareOf(control))
  return logAverage(canary) + logAverage(control) - highest
}

/** Bounds of a share, both from 0 to 1. */
export interface ShareInterval {
  readonly low: number
  readonly high: number
}

/** Halvings that fix a bound to a billionth. */
const halvings = 30

/** The border between shares that a test rejects and those that it keeps; `kept` is one of the latter. */
const border = (rejects: (share: number) => boolean, rejected: number, kept: number): number => {
  let [outside, inside] = [rejected, kept]
  for (let step = 0; step < halvings; step++) {
    const middle = (outside + inside) / 2
    if (rejects(middle)) outside = middle
    else inside = middle
  }
  return inside
}

/**
 * Interval of an arm's true share that holds at all looks together, with a probability of at least `1 - alpha`: a confidence
 * sequence by the average over shares (Robbins, 1970). It is wider than one that is right at a single look.
 */
export const shareInterval = (arm: ArmCounts, alpha: number): ShareInterval => {
  if (arm.conversations === 0) return { low: 0, high: 1 }
  const least = logAverage(arm) + Math.log(alpha)
  const rejects = (share: number) => logLikelihood(arm, share) < least
  const share = shareOf(arm)
  return {
    low: arm.successes === 0 ? 0 : border(rejects, 0, share),
    high: arm.successes === arm.conversations ? 1 : border(rejects, 1, share)
  }
}

/** Rule by which a canary stops itself. */
export interface StopRule {
  /** Highest probability to stop a canary that is not worse. */
  readonly alpha: number
  /** Lead of the control's share below which the canary goes on, from 0 to 1. */
  readonly smallest_difference: number
  /** Conversations of each arm before which the canary goes on. */
  readonly min_conversations: number
}

/** Returns true when the canary's outcomes are worse beyond chance, by enough, after enough conversations. */
export const isWorse = (figures: CanaryFigures, rule: StopRule): boolean => {
  const { canary, control } = figures
  return Math.min(canary.conversations, control.conversations) >= Math.max(1, rule.min_conversations)
    && shareOf(control) - shareOf(canary) >= rule.smallest_difference
    && logEvidence(figures) >= -Math.log(rule.alpha)
}
