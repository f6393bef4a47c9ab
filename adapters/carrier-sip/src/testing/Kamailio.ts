import { Effect, type Scope } from "effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import type { CertificateFiles } from "./Certificates.js"
import { freePort, startPeer, temporaryFolder } from "./PeerProcess.js"

/** A registrar and record-routing proxy, which passes calls between UDP and TCP. */
export interface Kamailio {
  /** Port of UDP and TCP on 127.0.0.1; the next one is that of TLS. */
  readonly port: number
  /** Text that it has logged. */
  readonly output: () => string
}

/** Settings of TLS, at the port after that of UDP and TCP. */
const tlsSettings = (port: number, { cert_file, key_file }: CertificateFiles) => ({
  listen: `enable_tls=yes\nlisten=tls:127.0.0.1:${port + 1}`,
  module: [
    `loadmodule "tls.so"`,
    `modparam("tls", "certificate", "${cert_file}")`,
    `modparam("tls", "private_key", "${key_file}")`,
    `modparam("tls", "tls_method", "TLSv1.2+")`
  ].join("\n")
})

const settings = (port: number, users: string, tls = { listen: "", module: "" }): string => `
debug=1
log_stderror=yes
fork=yes
children=1
tcp_children=1
auto_aliases=no
listen=udp:127.0.0.1:${port}
listen=tcp:127.0.0.1:${port}
${tls.listen}
mpath="/usr/lib/x86_64-linux-gnu/kamailio/modules/:/usr/lib/aarch64-linux-gnu/kamailio/modules/:/usr/lib64/kamailio/modules/"
loadmodule "kex.so"
loadmodule "corex.so"
loadmodule "tm.so"
loadmodule "sl.so"
loadmodule "rr.so"
loadmodule "pv.so"
loadmodule "maxfwd.so"
loadmodule "usrloc.so"
loadmodule "registrar.so"
loadmodule "textops.so"
loadmodule "siputils.so"
loadmodule "auth.so"
${tls.module}
modparam("usrloc", "db_mode", 0)
modparam("rr", "enable_double_rr", 1)
request_route {
  if (!mf_process_maxfwd_header("10")) { sl_send_reply("483", "Too Many Hops"); exit; }
  if (has_totag()) {
    if (loose_route()) { route(RELAY); exit; }
    if (is_method("ACK") && t_check_trans()) { route(RELAY); exit; }
    sl_send_reply("404", "Not here"); exit;
  }
  if (is_method("CANCEL")) { if (t_check_trans()) route(RELAY); exit; }
  if (is_method("REGISTER")) {
    if (!pv_www_authenticate("$td", "${users}", "0")) { www_challenge("$td", "0"); exit; }
    save("location"); exit;
  }
  t_check_trans();
  if (is_method("INVITE")) record_route();
  if ($rU =~ "^route-") {
    $du = "sip:127.0.0.1:" + $(rU{s.substr,6,5}) + ";transport=udp";
    $rU = $(rU{s.substr,11,0});
    route(RELAY); exit;
  }
  if (!lookup("location")) { sl_send_reply("404", "Not Found"); exit; }
  route(RELAY);
}
route[RELAY] {
  if (!t_relay()) sl_reply_error();
  exit;
}
`

/**
 * Starts kamailio on UDP and TCP, and at the next port on TLS where it has a certificate. It registers everybody with the password, and passes calls to who is registered; a call
 * to `route-PORTnumber` goes to the number at a port over UDP.
 */
export const startKamailio = (
  { password, tls }: { readonly password: string; readonly tls?: CertificateFiles }
): Effect.Effect<Kamailio, never, Scope.Scope> =>
  Effect.gen(function*() {
    const folder = yield* temporaryFolder
    const port = yield* freePort(1)
    writeFileSync(join(folder, "kamailio.cfg"), settings(port, password, tls && tlsSettings(port, tls)))
    const proxy = yield* startPeer("kamailio", [
      "-f",
      join(folder, "kamailio.cfg"),
      "-P",
      join(folder, "pid"),
      "-Y",
      folder,
      "-m",
      "32",
      "-M",
      "4",
      "-DD",
      "-E"
    ], { cwd: folder })
    yield* Effect.sleep("1 second")
    return { port, output: proxy.output }
  })
