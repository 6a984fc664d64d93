import type { Changes } from './changes.ts';

/** What changed, field by field. */
export interface Changed {
  changes: Changes;
}

type Nothing = Record<string, never>;

/** The data of every event kind that something emits. Adding a kind here is what lets an endpoint announce it. */
export interface EventData {
  account_created: Changed;
  account_updated: Changed;
  api_key_created: Changed;
  api_key_updated: Changed;
  api_key_deleted: Nothing;
  lead_created: Changed;
  lead_updated: Changed;
  lead_assigned: { from?: string; to?: string };
  lead_source_created: Changed;
  team_created: Changed;
  user_created: Changed;
  user_logged_in: { method: 'password' | 'api_key' };
  user_logged_out: { sessions: 'one' | 'all' };
}
