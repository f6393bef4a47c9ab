import type { BillingUnavailable, InsufficientCredits } from "@trunkline/errors"
import type { SpeechFailure } from "../ports/Synthesizer.js"

/** Why a speech is refused or fails; `BadRequest` is among the failures of engines. */
export type SpeakingFailure = SpeechFailure | InsufficientCredits | BillingUnavailable
