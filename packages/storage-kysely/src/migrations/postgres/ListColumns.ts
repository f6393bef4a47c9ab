/** Columns of rows that lists show. */
export const listColumns = `
    org_id text not null,
    workspace_id text not null,
    search text not null,
    name text not null,
    status text not null,
    created_at float8 not null,
    updated_at float8 not null,
    body text not null`
