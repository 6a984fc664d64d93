import { recordStore } from '../table/record-store.ts';
import type { Team } from './schema.ts';

/** The teams of an account. */
export const teams = recordStore<Team, 'team'>({ noun: 'TEAM', subject: 'team' });
