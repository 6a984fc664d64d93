import { recordStore } from '../table/record-store.ts';
import type { LeadSource } from './schema.ts';

/** The lead sources of an account. */
export const leadSources = recordStore<LeadSource, 'lead_source'>({
  noun: 'LEADSOURCE',
  subject: 'lead_source',
});
