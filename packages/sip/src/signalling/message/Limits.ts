/** Sizes that a message may have. */
export interface MessageLimits {
  /** Of the whole message, in bytes. */
  readonly messageBytes: number
  /** Number of values of header fields. */
  readonly headers: number
  /** Of the start line, or of the value of a header field without its folds, in characters. */
  readonly lineLength: number
}

/** 65,535 bytes, which a datagram can carry; 100 values of header fields; 8,192 characters a line. */
export const messageLimits: MessageLimits = { messageBytes: 65_535, headers: 100, lineLength: 8_192 }
