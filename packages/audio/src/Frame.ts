/** Duration of a frame of sound on a call, in milliseconds. */
export const frameMillis = 20

/** Samples of such a frame at 8,000 Hz, which are also the units that it adds to the timestamps of RTP. */
export const frameSamples = 8 * frameMillis
