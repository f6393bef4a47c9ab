import { Either } from "effect"
import {
  answerChallenge,
  type DigestCredentials,
  type DigestState,
  presentCredentials
} from "../digest/DigestClient.js"
import type { Headers, SipRequest, SipResponse } from "../message/Message.js"
import type { Tokens } from "../transactions/Tokens.js"

/** Authenticates the requests of one call or registration. Challenges that were passed are answered ahead. */
export interface Authorizer {
  /** A new request with the credentials that are known to be needed. */
  readonly present: (request: SipRequest) => SipRequest
  /**
   * Credentials that answer a challenge to a request; null where the response is no challenge, or one that was failed
   * already.
   */
  readonly answer: (request: SipRequest, response: SipResponse) => Headers | null
}

/** Makes an authorizer. Without credentials it passes no challenge. */
export const makeAuthorizer = (tokens: Tokens, credentials: DigestCredentials | undefined): Authorizer => {
  let state: DigestState = []
  if (credentials === undefined) return { present: (request) => request, answer: () => null }
  return {
    present: (request) => {
      if (state.length === 0) return request
      const presentedCredentials = presentCredentials(state, request, credentials)
      state = presentedCredentials.state
      return { ...request, headers: [...request.headers, ...presentedCredentials.headers] }
    },
    answer: (request, response) => {
      if (response.status !== 401 && response.status !== 407) return null
      const answer = answerChallenge(response, { state, request, credentials, cnonce: tokens.next() })
      if (Either.isLeft(answer)) return null
      state = answer.right.state
      return answer.right.headers
    }
  }
}
