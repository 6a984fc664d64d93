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
  admin_force_set_password: Nothing;
  api_key_created: Changed;
  api_key_deleted: Nothing;
  api_key_updated: Changed;
  api_rate_limited: { limit: number; minute: string };
  lead_archived: Nothing;
  lead_assigned: { from?: string; to?: string };
  lead_created: Changed & { unassigned?: true };
  lead_deleted: Nothing;
  lead_disqualified: { reason?: string };
  lead_qualified: { reason?: string };
  lead_rotation_created: Changed;
  lead_rotation_deleted: Nothing;
  lead_rotation_updated: Changed;
  lead_source_activated: Nothing;
  lead_source_created: Changed;
  lead_source_deactivated: Nothing;
  lead_source_deleted: Nothing;
  lead_source_updated: Changed;
  lead_unarchived: Nothing;
  lead_updated: Changed;
  quota_exceeded: { quota: string };
  role_created: Changed;
  role_deleted: Nothing;
  role_permissions_updated: Changed;
  team_activated: Nothing;
  team_created: Changed;
  team_deactivated: Nothing;
  team_deleted: Nothing;
  team_updated: Changed;
  user_account_settings_updated: Changed;
  user_added_to_account: Changed;
  user_created: Changed;
  user_deleted: Nothing;
  user_logged_in: { method: 'password' | 'api_key' };
  user_logged_out: { sessions: 'one' | 'all' };
  user_password_changed: { by: 'password' | 'token' };
  user_password_reset_requested: Nothing;
  user_permissions_set_directly: Changed;
  user_removed_from_account: Nothing;
  user_roles_updated: { from: string[]; to: string[] };
  user_updated: Changed;
}
