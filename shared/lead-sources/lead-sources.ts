import { recordsOf } from '../table/records.ts';
import type { LeadSource } from './lead-source.ts';

/** The lead sources of an account. */
export const leadSources = recordsOf<LeadSource>('LEADSOURCE');
