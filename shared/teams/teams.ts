import { recordsOf } from '../table/records.ts';
import type { Team } from './team.ts';

/** The teams of an account. */
export const teams = recordsOf<Team>('TEAM');
