/** Time between two messages to a caller on hold, in seconds, unless the version says otherwise. */
export const usualPause = 20

/** Longest hold in seconds, unless the version says otherwise. */
export const usualHold = 120
