/**
 * The moments of a campaign at which a test may let the engine crash: a batch of attempts was claimed, people were
 * enrolled, an attempt that was not dialled was taken back, a result was kept.
 */
export const campaignFaults = ["claim.kept", "enrol.kept", "withdraw.kept", "finish.kept"] as const
