import { recordsOf } from '../table/records.ts';
import type { Lead } from './lead.ts';

/** The leads of an account. */
export const leads = recordsOf<Lead>('LEAD');
