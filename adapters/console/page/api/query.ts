/** A query whose values may come from the address: empty ones are left out, and the server judges the others. */
export const queryOf = <Query extends object>(
  values: { readonly [Name in keyof Query]?: Query[Name] | string | number | null | undefined }
): Query =>
  Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined && value !== null && value !== "")
  ) as Query
