import listEvents from '../../functions/events/list-events.ts';
import type { Tenant } from '../harness/tenant.ts';

/** Returns the kinds of an account's newest hundred events, oldest first. */
export const kindsOf = async ({ admin }: Tenant) =>
  (await admin.ok(listEvents, { query: { pageSize: 100 } })).data.map(({ kind }) => kind).reverse();
