/**
 * The closed list of event kinds, which `GET /event-kinds` returns. No other kind can be emitted, subscribed to or
 * preferred.
 */
export const eventKindGroups = {
  Leads: [
    'lead_created',
    'lead_updated',
    'lead_deleted',
    'lead_qualified',
    'lead_disqualified',
    'lead_assigned',
    'lead_converted',
    'lead_archived',
    'lead_unarchived',
  ],
  Applications: [
    'application_created',
    'application_updated',
    'application_deleted',
    'application_completed',
    'application_submitted',
    'application_sensitive_data_revealed',
  ],
  Users: [
    'user_created',
    'user_updated',
    'user_deleted',
    'user_logged_in',
    'user_logged_out',
    'user_password_changed',
    'user_password_reset_requested',
    'admin_force_set_password',
    'user_impersonated',
    'user_permissions_set_directly',
    'user_roles_updated',
    'user_added_to_account',
    'user_removed_from_account',
    'user_account_settings_updated',
  ],
  Accounts: [
    'account_created',
    'account_updated',
    'account_deleted',
    'account_permissions_updated',
    'account_type_created',
    'account_type_deleted',
    'account_type_updated',
  ],
  Billing: ['invoice_created', 'payment_received', 'payment_failed', 'refund_issued'],
  'Audit reveal': ['event_request_body_revealed', 'event_response_body_revealed'],
  System: [
    'system_error',
    'quota_exceeded',
    'api_rate_limited',
    'cron_triggered',
    'healthcheck',
    'not_found',
    'method_not_allowed',
    'no_event_name',
  ],
  'API keys': ['api_key_created', 'api_key_updated', 'api_key_deleted'],
  'Lead rotations': ['lead_rotation_created', 'lead_rotation_updated', 'lead_rotation_deleted'],
  Teams: ['team_created', 'team_updated', 'team_deleted', 'team_activated', 'team_deactivated'],
  Roles: ['role_created', 'role_deleted', 'role_permissions_updated'],
  Files: [
    'file_upload_url_requested',
    'file_uploaded',
    'file_deleted',
    'file_requested',
    'file_meta_data_updated',
  ],
  Notes: ['note_created', 'note_deleted', 'note_updated'],
  'Lead sources': [
    'lead_source_created',
    'lead_source_updated',
    'lead_source_deleted',
    'lead_source_activated',
    'lead_source_deactivated',
  ],
  Webhooks: [
    'webhook_created',
    'webhook_updated',
    'webhook_deleted',
    'webhook_delivery_failed',
    'webhook_test',
  ],
  Merchants: ['merchant_created', 'merchant_updated', 'merchant_deleted'],
  Underwriting: [
    'underwriting_application_assigned',
    'underwriting_application_priority_changed',
    'underwriting_decision_made',
    'underwriting_note_added',
    'underwriting_risk_assessment_generated',
    'underwriting_auto_rule_created',
    'underwriting_auto_rule_updated',
    'underwriting_auto_rule_toggled',
    'underwriting_auto_rule_tested',
  ],
  'Partner integration': [
    'partner_webhook_received',
    'application_sent_to_partner',
    'partner_integration_error',
    'partner_status_synced',
    'partner_status_updated',
    'partner_documents_transferred',
    'partner_note_received',
  ],
  'External API': [
    'extapi_lead_created',
    'extapi_lead_batch_submitted',
    'extapi_application_submitted',
    'extapi_application_updated',
    'extapi_documents_transferred',
    'extapi_status_change',
  ],
  'Vanity domains': [
    'vanity_domain_requested',
    'vanity_domain_validated',
    'vanity_domain_activated',
    'vanity_domain_deleted',
  ],
  MIDs: ['mid_created', 'mid_updated', 'mid_deleted', 'mid_assigned', 'mid_activated', 'mid_suspended'],
  'Ticket types': [
    'ticket_type_created',
    'ticket_type_updated',
    'ticket_type_deleted',
    'ticket_type_status_changed',
  ],
  'Ticket rotations': [
    'ticket_rotation_created',
    'ticket_rotation_updated',
    'ticket_rotation_deleted',
    'ticket_rotation_status_changed',
    'ticket_rotation_position_reset',
  ],
  Tickets: [
    'ticket_created',
    'ticket_updated',
    'ticket_deleted',
    'ticket_assigned',
    'ticket_status_changed',
    'ticket_comment_added',
  ],
} as const;

export type EventKind = (typeof eventKindGroups)[keyof typeof eventKindGroups][number];

/** Every event kind, in the order of the list. */
export const eventKinds: readonly EventKind[] = Object.values(eventKindGroups).flat();

const known = new Set<string>(eventKinds);

export const isEventKind = (text: string): text is EventKind => known.has(text);
