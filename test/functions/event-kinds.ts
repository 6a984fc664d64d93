import listEvents from '../../functions/events/list-events.ts';
import type { Tenant } from '../harness/tenant.ts';

/** Returns the kinds of an account's newest hundred events, oldest first, without events about rejected requests. */
export const kindsOf = async ({ admin }: Tenant) =>
  (await admin.ok(listEvents, { query: { pageSize: 100 } })).data
    .map(({ kind }) => kind)
    .filter((kind) => kind !== 'not_found')
    .reverse();
