import { byName } from '../../events/subject.ts';
import { recordStore } from '../../table/record-store.ts';
import type { LeadSource } from './schema.ts';

const records = recordStore<LeadSource, 'lead_source'>({ resource: 'lead_source' });

export const leadSources = { ...records, describe: byName };
