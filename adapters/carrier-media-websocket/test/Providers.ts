import {
  exotelAccount,
  exotelDouble,
  plivoAccount,
  plivoDouble,
  smartfloAccount,
  smartfloDouble,
  telnyxAccount,
  telnyxDouble,
  telnyxRelayDouble,
  twilioAccount,
  twilioDouble,
  twilioRelayDouble,
  vobizAccount,
  vobizDouble
} from "../src/testing.js"
import type { Provider } from "./Host.js"

export const twilio: Provider = {
  double: twilioDouble,
  options: { account_sid: twilioAccount.sid, auth_token_env: "TWILIO_TOKEN" },
  environment: { TWILIO_TOKEN: twilioAccount.token }
}

export const plivo: Provider = {
  double: plivoDouble,
  options: { auth_id: plivoAccount.id, auth_token_env: "PLIVO_TOKEN" },
  environment: { PLIVO_TOKEN: plivoAccount.token }
}

export const vobiz: Provider = {
  double: vobizDouble,
  options: { auth_id: vobizAccount.id, auth_token_env: "VOBIZ_TOKEN", events_key_env: "VOBIZ_KEY" },
  environment: { VOBIZ_TOKEN: vobizAccount.token, VOBIZ_KEY: vobizAccount.eventsKey }
}

export const telnyx: Provider = {
  double: telnyxDouble,
  options: {
    application_id: telnyxAccount.application,
    api_key_env: "TELNYX_KEY",
    public_key: telnyxAccount.publicKey
  },
  environment: { TELNYX_KEY: telnyxAccount.key }
}

export const twilioRelay: Provider = {
  double: twilioRelayDouble,
  options: twilio.options,
  environment: twilio.environment
}

export const telnyxRelay: Provider = {
  double: telnyxRelayDouble,
  options: telnyx.options,
  environment: telnyx.environment
}

export const exotel: Provider = {
  double: exotelDouble,
  options: {
    account_sid: exotelAccount.sid,
    api_key_env: "EXOTEL_KEY",
    api_token_env: "EXOTEL_TOKEN",
    events_key_env: "EXOTEL_EVENTS"
  },
  environment: {
    EXOTEL_KEY: exotelAccount.key,
    EXOTEL_TOKEN: exotelAccount.token,
    EXOTEL_EVENTS: exotelAccount.eventsKey
  }
}

export const smartflo: Provider = {
  double: smartfloDouble,
  options: { api_token_env: "SMARTFLO_TOKEN", api_key_env: "SMARTFLO_KEY", events_key_env: "SMARTFLO_EVENTS" },
  environment: {
    SMARTFLO_TOKEN: smartfloAccount.token,
    SMARTFLO_KEY: smartfloAccount.key,
    SMARTFLO_EVENTS: smartfloAccount.eventsKey
  }
}

/** Providers with sound. */
export const providers: ReadonlyArray<Provider> = [twilio, plivo, vobiz, telnyx, exotel, smartflo]
