import { Context } from "effect"

/** The page at `/docs`, which a host may switch off; it is on by default. */
export class ReferenceDocs extends Context.Reference<ReferenceDocs>()("@trunkline/http-api/ReferenceDocs", {
  defaultValue: (): { readonly enabled: boolean } => ({ enabled: true })
}) {}
