/** Every error code with its HTTP status and its default message. */
const catalogue = {
  invalid_json: [400, 'The body must be one valid JSON object in UTF-8.'],
  invalid_input: [400, 'One or more fields are not valid. `details` lists them.'],
  account_required: [400, 'Send the id of the account in the x-account-id header.'],
  invalid_idempotency_key: [400, 'An Idempotency-Key must have 1 to 255 printable ASCII characters.'],
  invalid_if_match: [400, 'If-Match must be one ETag from an earlier response, for example "3".'],
  accounts_too_deep: [
    400,
    'Accounts can have at most three levels. This account would be below the third level.',
  ],
  account_type_in_use: [
    400,
    'Accounts have this type. Give them another type, or delete or move them first.',
  ],
  record_too_large: [400, 'The record is larger than 300 KB.'],
  page_too_deep: [400, 'The page is too deep. A list contains only its newest 10,000 records, at most 8 MB.'],
  page_too_large: [400, 'These records are too large for one page. Use a smaller pageSize.'],
  too_many_factors: [
    400,
    'A user can have at most five authenticator apps and ten passkeys. Remove a factor first.',
  ],
  passkeys_unavailable: [400, 'This service has no domain for passkeys. Use an authenticator app.'],
  mail_unavailable: [400, 'This service has no domain for mail with customers.'],
  mail_not_movable: [400, 'The direction or the state of this mail does not allow this request.'],
  raw_mail_missing: [400, 'The raw mail does not exist, or was deleted after 30 days.'],
  mail_domain_exists: [400, 'The account already has this mail domain.'],
  mail_domain_not_proved: [
    400,
    'The account has not proved the domain of the address. Add the domain with POST /mail-domains, and validate it.',
  ],
  mail_domain_not_verified: [
    400,
    'SES has not verified the domain of the sender. Create the DNS records that GET /mail-domains/{id} returns.',
  ],
  mail_address_exists: [400, 'The account already has this mail address.'],
  quota_exceeded: [400, 'The account has reached its quota for these records. Delete a record first.'],
  team_required: [400, 'This account has teams. Send the id of an active team in teamId.'],
  team_unknown: [400, 'teamId is not an active team of this account.'],
  lead_source_required: [400, 'This team has lead sources. Send the id of a lead source in leadSourceId.'],
  lead_source_unknown: [400, 'leadSourceId is not an active lead source of this team.'],
  user_unknown: [400, 'The user is not an active user of this account.'],
  email_exists: [400, 'A user with this email already exists.'],
  already_member: [400, 'This user already belongs to the account.'],
  own_membership: [
    400,
    'You cannot deactivate, demote or remove yourself with this request. To leave the account, use DELETE /users/{email}/accounts/{accountId}/membership.',
  ],
  last_administrator: [400, 'An account needs an administrator. Make another user an administrator first.'],
  token_invalid: [400, 'This token is unknown, expired, used or no longer valid. Request a password reset.'],
  password_required: [400, 'Send a new password. No password that the user set with a mailed token exists.'],
  password_wrong: [400, 'The current password is wrong.'],
  role_unknown: [400, 'A role in this request is not a role of this account.'],
  role_name_taken: [400, 'A role of this account already has this name.'],
  preferences_invalid: [
    400,
    'notificationPreferences contains an event twice, or an account that the user does not belong to.',
  ],
  rotation_invalid: [400, 'userRotationArray must contain only users of the account, each at most once.'],
  rotation_unknown: [400, 'rotationId is not a ticket rotation of this account.'],
  ticket_type_unknown: [400, 'This account has no such ticket type.'],
  mapping_exists: [400, 'This partner category already has a mapping. Change that mapping instead.'],
  custom_field_type_fixed: [
    400,
    'The type of a custom field cannot change, even after the field was removed. Use another key.',
  ],
  position_out_of_range: [400, 'currentPosition must be less than the sum of the members’ weights.'],
  secrets_overlap: [
    400,
    'The previous secret is still valid. Wait until it expires, or end it with {"expireNow": true}.',
  ],
  partner_not_connected: [400, 'The account has no connection to a partner. Create the connection first.'],
  application_not_approved: [400, 'Only approved applications can be submitted to the partner.'],
  partner_not_sent: [400, 'The partner has not accepted this application yet.'],
  partner_submitted: [400, 'The application was already submitted to the partner.'],
  partner_inactive: [400, 'The connection to the partner is inactive. Activate it first.'],
  webhook_inactive: [400, 'This webhook is inactive. Activate it first.'],
  files_closed: [400, 'The application has been decided, so its files can no longer change.'],
  too_many_files: [400, 'A record can have at most 100 documents, and 10 per documentKey. Delete one first.'],
  upload_missing: [
    400,
    'The file was not uploaded, or was just replaced. Upload it with the signed request first.',
  ],
  upload_unfit: [400, 'The uploaded file does not match its description.'],
  event_not_sealed: [400, 'This event is not sealed yet. Events are sealed after 5 to 15 minutes.'],
  event_altered: [
    400,
    'This event or the data of its seal was altered after sealing. Ask an operator to run ops events verify.',
  ],
  permission_unknown: [400, 'The request contains a permission that GET /permissions does not list.'],
  application_not_pending: [400, 'This application was submitted and can no longer be changed.'],
  application_not_submitted: [400, 'Only submitted applications can be decided.'],
  application_incomplete: [400, 'The application is not complete. `details` lists what is missing.'],
  application_not_deletable: [400, 'Only pending or rejected applications can be deleted.'],
  rule_archived: [400, 'This rule is archived and can no longer be changed or tested.'],
  rule_not_tested: [
    400,
    'The present version of the rule was not tested against at least 20 decided applications. Test it first. For a test with fewer, send confirmFewApplications.',
  ],
  test_too_long: [
    400,
    'This period has too many submissions for one request. Choose a shorter period, or save the rule and test it.',
  ],
  domain_exists: [400, 'The account already has this domain.'],
  domain_not_proved: [400, 'The domain does not contain the expected challenge.'],
  domain_not_validated: [400, 'Validate the domain first.'],
  domain_unavailable: [
    400,
    'The servers of the domain did not respond. Nothing was changed. Try again later.',
  ],
  id_retired: [400, 'A record with this id was deleted, and ids are not reused. Use another id.'],
  mid_taken: [400, 'Another MID of this account has this number.'],
  account_has_children: [
    400,
    'This account has child accounts. Delete them or move them to another parent first.',
  ],
  merchant_unknown: [400, 'merchantId is not a merchant of this account.'],
  merchant_has_mids: [400, 'This merchant has MIDs. Delete them or move them to another merchant first.'],
  customer_unknown: [400, 'customerId is not a customer of this account.'],
  invoice_not_draft: [400, 'This invoice was opened and can no longer be changed. Use a credit instead.'],
  invoice_not_open: [400, 'The status of this invoice does not allow this request.'],
  invoice_has_payments: [400, 'This invoice has payments. Refund them first.'],
  invoice_full: [400, 'An invoice can have at most 100 payments, 100 refunds and 100 credits.'],
  reference_reused: [400, 'This reference was used for another amount or result. Use another reference.'],
  payment_exceeds_due: [
    400,
    'The payment is larger than the amount due. Record only the amount due, and the rest on another invoice.',
  ],
  refund_exceeds_received: [400, 'The refund is larger than the received payments that were not refunded.'],
  credit_exceeds_due: [400, 'The credit is larger than the amount due. Use a refund instead.'],
  payment_unusable: [
    400,
    'This payment has another currency than the invoice, no amount or no reference. Record it by hand.',
  ],
  payout_settings_missing: [400, 'Set the bank and the company first, with PUT /payout-settings.'],
  payout_empty: [400, 'No statement can be paid. `details` lists the reasons.'],
  payout_not_cancellable: [
    400,
    'The file of this payout was downloaded, so the bank may have it. Record the results of its payments instead.',
  ],
  payout_cancelled: [400, 'This payout was cancelled. Create another one.'],
  payout_not_sent: [400, 'The file of this payout was not downloaded, so its payments have no results.'],
  statement_paid_again: [400, 'Another payout has paid this statement since. Record the result there.'],
  beneficiary_unknown: [400, 'A beneficiary is not an active user or a child account of this account.'],
  agreement_conflict: [400, 'Another agreement already applies to the same rows.'],
  agreement_cycle: [400, 'A beneficiary would be above itself.'],
  adjustment_used: [
    400,
    'This adjustment is on a posted statement. Create an adjustment that takes it back.',
  ],
  residual_run_state: [400, 'The state of this run does not allow this request.'],
  residual_run_outdated: [
    400,
    'A file, a posted run, an agreement or an adjustment of this run has changed. Create a new run.',
  ],
  residual_run_open: [400, 'A run of this month is being posted or reversed. Wait until it is done.'],
  rehearsal_too_long: [
    400,
    'The files of these months have too many rows for one request. Send fewer months.',
  ],
  statement_not_ready: [400, 'The state of this statement does not allow this request.'],
  statement_too_long: [400, 'This period has more than 5,000 entries. Choose a shorter period.'],
  ticket_type_inactive: [400, 'This ticket type is inactive. New tickets need an active type.'],
  too_many_tags: [400, 'A ticket can have at most 50 tags. Remove a tag first.'],
  scim_filter_invalid: [400, 'The filter is not valid.'],
  scim_path_invalid: [400, 'The path of a PATCH operation is not valid.'],
  scim_value_invalid: [400, 'A value is missing or not valid.'],
  scim_attribute_fixed: [400, 'This attribute cannot change.'],
  scim_target_missing: [400, 'The path of a PATCH operation selects nothing.'],
  scim_not_unique: [409, 'Another resource has this value.'],
  not_authenticated: [401, 'Send a valid session token, or a valid API key and secret.'],
  login_failed: [401, 'These credentials are not valid.'],
  challenge_invalid: [401, 'This challenge is unknown, expired or no longer valid. Log in again.'],
  code_wrong: [401, 'This code is wrong, expired or was used. Send a new code.'],
  sign_on_state_invalid: [
    400,
    'This sign-in is unknown, expired, used or belongs to another browser. Start again at GET /auth/sso/start.',
  ],
  sign_on_rejected: [
    400,
    'The identity provider’s response is not valid. Start again at GET /auth/sso/start.',
  ],
  passkey_rejected: [
    401,
    'The response of the passkey does not belong to this request, or was used. Begin again.',
  ],
  account_closed: [
    403,
    'This account was deleted. Until its erasure begins, an administrator can reopen it with POST /accounts/{id}/reopen.',
  ],
  account_forbidden: [403, 'The caller does not belong to this account.'],
  permission_denied: [403, 'The caller does not have the required permission.'],
  administrator_only: [403, 'Only an administrator of the account may do this.'],
  factor_required: [
    403,
    'This account requires a second factor. Add one with POST /auth/factors, or log in again with your factor.',
  ],
  step_up_required: [
    403,
    'This request needs a fresh proof of your identity. Send POST /auth/step-up with your password or a code, then repeat the request.',
  ],
  single_sign_on_required: [
    403,
    'This account requires single sign-on for your address. Start at GET /auth/sso/start.',
  ],
  own_session_required: [403, 'A session by single sign-on may not do this. Log in with your password.'],
  sign_on_not_allowed: [403, 'The identity provider’s user may not sign in to this account.'],
  passkey_required: [
    403,
    'This request requires a session that has proved a passkey. Log in with a passkey, or add one with POST /auth/factors.',
  ],
  mailbox_not_proved: [
    403,
    'Your password was not set with a mailed token. First send POST /auth/password-reset-request.',
  ],
  shared_user: [403, 'This user is not a member of this account only. Only the user can set a new password.'],
  rule_needs_second_person: [
    403,
    'Only an administrator who did not write this version of the rule can make it live.',
  ],
  run_needs_second_person: [
    403,
    'Only a person who did not start this run can approve it. An API key counts as the user who created it.',
  ],
  impersonation_forbidden: [403, 'This account forbids impersonation.'],
  not_impersonable: [
    403,
    'Only active users who are not administrators can be impersonated. You cannot impersonate yourself.',
  ],
  not_while_impersonating: [
    403,
    'An impersonated session may not do this. The user can do it in an own session.',
  ],
  impersonation_read_only: [
    403,
    'This impersonation is read-only. For changes, begin an impersonation with {"write": true}.',
  ],
  users_only: [403, 'Only a user may do this, not an API key.'],
  grant_exceeds_own: [403, 'A caller can grant only the permissions that it has.'],
  grant_exceeds_type: [403, 'An account can have only the permissions of its account type.'],
  holds_more: [403, 'Only a caller with all permissions of the record can change or remove the record.'],
  own_expiry: [403, 'An API key cannot change its own expiry.'],
  not_found: [404, 'No such record in this account.'],
  route_not_found: [404, 'No endpoint has this path. GET /openapi.json lists all paths.'],
  method_not_allowed: [405, 'This path does not support this method.'],
  version_mismatch: [412, 'The record has changed. Read it again and send its new ETag.'],
  body_too_large: [413, 'The body is larger than 256 KB.'],
  idempotency_key_reused: [422, 'This Idempotency-Key was used for another request. Use a new key.'],
  too_many_requests: [429, 'Too many requests. Retry after the number of seconds in Retry-After.'],
  internal_error: [500, 'An unexpected error occurred. Include the x-request-id when you report it.'],
  provider_unavailable: [
    503,
    'The identity provider does not respond as expected. Retry after the number of seconds in Retry-After.',
  ],
  busy: [503, 'The service is busy. Retry after the number of seconds in Retry-After.'],
} as const satisfies Record<string, readonly [status: number, message: string]>;

/** A stable, machine-readable code: the `error` field of every Error object. */
export type ErrorCode = keyof typeof catalogue;

export const statusOf = (code: ErrorCode): number => catalogue[code][0];

export const messageOf = (code: ErrorCode): string => catalogue[code][1];

/** An invalid field. `field` is its path, such as `members[0].weight`. */
export interface FieldError {
  field: string;
  message: string;
}

/** The proof that a request needs. `method` is the way in which the caller can give it. */
export interface NeededProof {
  purpose: string;
  subject: { accountId?: string; id?: string };
  method: 'code' | 'passkey' | 'password' | 'single_sign_on';
}

interface ApiErrorOptions {
  message?: string;
  details?: FieldError[];
  /** Only for `step_up_required`. */
  stepUp?: NeededProof;
  headers?: Record<string, string>;
  /** The name of the AWS error that caused this error. Only the log contains this name. */
  cause?: string;
}

/**
 * An error that becomes the response of a request. Rules and stores throw it with a code; the HTTP layer sets the
 * status.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly details?: FieldError[];
  readonly stepUp?: NeededProof;
  readonly headers: Record<string, string>;

  constructor(
    readonly code: ErrorCode,
    extras: ApiErrorOptions = {},
  ) {
    super(extras.message ?? messageOf(code), { cause: extras.cause });
    this.details = extras.details;
    this.stepUp = extras.stepUp;
    this.headers = extras.headers ?? {};
  }
}

/** The error for a request that ran out of time. The client may retry after a second. `cause`: see ApiErrorOptions. */
export const busy = (cause?: string): ApiError =>
  new ApiError('busy', { headers: { 'retry-after': '1' }, cause });

/** The error for an exceeded limit. The client may retry after a number of seconds, at least one. */
export const tooManyRequests = (seconds: number): ApiError =>
  new ApiError('too_many_requests', { headers: { 'retry-after': String(Math.max(seconds, 1)) } });

/** The `not_found` error, such as "No lead 17 in this account." `resource` may be a subject type like `lead_source`. */
export const notFound = (resource: string, id: number | string): ApiError =>
  new ApiError('not_found', { message: `No ${resource.replaceAll('_', ' ')} ${id} in this account.` });

/** The error for one invalid field. */
export const invalid = (field: string, message: string, code: ErrorCode = 'invalid_input'): ApiError =>
  new ApiError(code, { details: [{ field, message }] });
