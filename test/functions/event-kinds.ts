import listEvents from '../../functions/events/list-events.ts';
import type { Tenant } from '../harness/tenant.ts';

/** The kinds of an account's events, oldest first: of its newest hundred. */
export const kindsOf = async ({ admin }: Tenant) =>
  (await admin.ok(listEvents, { query: { pageSize: 100 } })).data.map(({ kind }) => kind).reverse();
