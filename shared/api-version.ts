/** The version of the API: the date of the newest change in infra/openapi/changes.md. Every response contains it. */
export const apiVersion = '2026-12-04';
