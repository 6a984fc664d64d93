import { recordStore } from '../table/record-store.ts';
import type { Lead } from './schema.ts';

/** The leads of an account. */
export const leads = recordStore<Lead, 'lead'>({ noun: 'LEAD', subject: 'lead' });
