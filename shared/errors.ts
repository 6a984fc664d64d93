/** The default message of every error code, by HTTP status. */
const messages = {
  400: {
    invalid_json: 'The body must be one valid JSON object in UTF-8.',
    invalid_input: 'One or more fields are not valid. `details` lists them.',
    account_required: 'Send the id of the account in the x-account-id header.',
    invalid_idempotency_key: 'An Idempotency-Key must have 1 to 255 printable ASCII characters.',
    invalid_if_match: 'If-Match must be one ETag from an earlier response, for example "3".',
    accounts_too_deep: 'Accounts can have at most three levels. This account would be below the third level.',
    account_type_in_use: 'Accounts have this type. Give them another type, or delete or move them first.',
    record_too_large: 'The record is larger than 300 KB.',
    page_too_deep: 'The page is too deep. A list contains only its newest 10,000 records, at most 8 MB.',
    page_too_large: 'These records are too large for one page. Use a smaller pageSize.',
    too_many_factors:
      'A user can have at most five authenticator apps and ten passkeys. Remove a factor first.',
    passkeys_unavailable: 'This service has no domain for passkeys. Use an authenticator app.',
    mail_unavailable: 'This service has no domain for mail with customers.',
    mail_not_movable: 'The direction or the state of this mail does not allow this request.',
    raw_mail_missing: 'The raw mail does not exist, or was deleted after 30 days.',
    mail_domain_exists: 'The account already has this mail domain.',
    mail_domain_not_proved:
      'The account has not proved the domain of the address. Add the domain with POST /mail-domains, and validate it.',
    mail_domain_not_verified:
      'SES has not verified the domain of the sender. Create the DNS records that GET /mail-domains/{id} returns.',
    mail_address_exists: 'The account already has this mail address.',
    quota_exceeded: 'The account has reached its quota for these records. Delete a record first.',
    team_required: 'This account has teams. Send the id of an active team in teamId.',
    team_unknown: 'teamId is not an active team of this account.',
    lead_source_required: 'This team has lead sources. Send the id of a lead source in leadSourceId.',
    lead_source_unknown: 'leadSourceId is not an active lead source of this team.',
    user_unknown: 'The user is not an active user of this account.',
    email_exists: 'A user with this email already exists.',
    already_member: 'This user already belongs to the account.',
    own_membership:
      'You cannot deactivate, demote or remove yourself with this request. To leave the account, use DELETE /users/{email}/accounts/{accountId}/membership.',
    last_administrator: 'An account needs an administrator. Make another user an administrator first.',
    token_invalid: 'This token is unknown, expired, used or no longer valid. Request a password reset.',
    password_required: 'Send a new password. No password that the user set with a mailed token exists.',
    password_wrong: 'The current password is wrong.',
    role_unknown: 'A role in this request is not a role of this account.',
    role_name_taken: 'A role of this account already has this name.',
    preferences_invalid:
      'notificationPreferences contains an event twice, or an account that the user does not belong to.',
    rotation_invalid: 'userRotationArray must contain only users of the account, each at most once.',
    rotation_unknown: 'rotationId is not a ticket rotation of this account.',
    ticket_type_unknown: 'This account has no such ticket type.',
    mapping_exists: 'This partner category already has a mapping. Change that mapping instead.',
    custom_field_type_fixed:
      'The type of a custom field cannot change, even after the field was removed. Use another key.',
    position_out_of_range: 'currentPosition must be less than the sum of the members’ weights.',
    secrets_overlap:
      'The previous secret is still valid. Wait until it expires, or end it with {"expireNow": true}.',
    partner_not_connected: 'The account has no connection to a partner. Create the connection first.',
    application_not_approved: 'Only approved applications can be submitted to the partner.',
    partner_not_sent: 'The partner has not accepted this application yet.',
    partner_submitted: 'The application was already submitted to the partner.',
    partner_inactive: 'The connection to the partner is inactive. Activate it first.',
    webhook_inactive: 'This webhook is inactive. Activate it first.',
    files_closed: 'The application has been decided, so its files can no longer change.',
    too_many_files: 'A record can have at most 100 documents, and 10 per documentKey. Delete one first.',
    upload_missing:
      'The file was not uploaded, or was just replaced. Upload it with the signed request first.',
    upload_unfit: 'The uploaded file does not match its description.',
    event_not_sealed: 'This event is not sealed yet. Events are sealed after 5 to 15 minutes.',
    event_altered:
      'This event or the data of its seal was altered after sealing. Ask an operator to run ops events verify.',
    permission_unknown: 'The request contains a permission that GET /permissions does not list.',
    application_not_pending: 'This application was submitted and can no longer be changed.',
    application_not_submitted: 'Only submitted applications can be decided.',
    application_incomplete: 'The application is not complete. `details` lists what is missing.',
    application_not_deletable: 'Only pending or rejected applications can be deleted.',
    rule_archived: 'This rule is archived and can no longer be changed or tested.',
    rule_not_tested:
      'The present version of the rule was not tested against at least 20 decided applications. Test it first. For a test with fewer, send confirmFewApplications.',
    test_too_long:
      'This period has too many submissions for one request. Choose a shorter period, or save the rule and test it.',
    domain_exists: 'The account already has this domain.',
    domain_not_proved: 'The domain does not contain the expected challenge.',
    domain_not_validated: 'Validate the domain first.',
    domain_unavailable: 'The servers of the domain did not respond. Nothing was changed. Try again later.',
    id_retired: 'A record with this id was deleted, and ids are not reused. Use another id.',
    mid_taken: 'Another MID of this account has this number.',
    account_has_children:
      'This account has child accounts. Delete them or move them to another parent first.',
    merchant_unknown: 'merchantId is not a merchant of this account.',
    merchant_has_mids: 'This merchant has MIDs. Delete them or move them to another merchant first.',
    customer_unknown: 'customerId is not a customer of this account.',
    invoice_not_draft: 'This invoice was opened and can no longer be changed. Use a credit instead.',
    invoice_not_open: 'The status of this invoice does not allow this request.',
    invoice_has_payments: 'This invoice has payments. Refund them first.',
    invoice_full: 'An invoice can have at most 100 payments, 100 refunds and 100 credits.',
    reference_reused: 'This reference was used for another amount or result. Use another reference.',
    payment_exceeds_due:
      'The payment is larger than the amount due. Record only the amount due, and the rest on another invoice.',
    refund_exceeds_received: 'The refund is larger than the received payments that were not refunded.',
    credit_exceeds_due: 'The credit is larger than the amount due. Use a refund instead.',
    payment_unusable:
      'This payment has another currency than the invoice, no amount or no reference. Record it by hand.',
    payout_settings_missing: 'Set the bank and the company first, with PUT /payout-settings.',
    payout_empty: 'No statement can be paid. `details` lists the reasons.',
    payout_not_cancellable:
      'The file of this payout was downloaded, so the bank may have it. Record the results of its payments instead.',
    payout_cancelled: 'This payout was cancelled. Create another one.',
    payout_not_sent: 'The file of this payout was not downloaded, so its payments have no results.',
    statement_paid_again: 'Another payout has paid this statement since. Record the result there.',
    beneficiary_unknown: 'A beneficiary is not an active user or a child account of this account.',
    agreement_conflict: 'Another agreement already applies to the same rows.',
    agreement_cycle: 'A beneficiary would be above itself.',
    adjustment_used: 'This adjustment is on a posted statement. Create an adjustment that takes it back.',
    residual_run_state: 'The state of this run does not allow this request.',
    residual_run_outdated:
      'A file, a posted run, an agreement or an adjustment of this run has changed. Create a new run.',
    residual_run_open: 'A run of this month is being posted or reversed. Wait until it is done.',
    rehearsal_too_long: 'The files of these months have too many rows for one request. Send fewer months.',
    statement_not_ready: 'The state of this statement does not allow this request.',
    statement_too_long: 'This period has more than 5,000 entries. Choose a shorter period.',
    ticket_type_inactive: 'This ticket type is inactive. New tickets need an active type.',
    too_many_tags: 'A ticket can have at most 50 tags. Remove a tag first.',
    scim_filter_invalid: 'The filter is not valid.',
    scim_path_invalid: 'The path of a PATCH operation is not valid.',
    scim_value_invalid: 'A value is missing or not valid.',
    scim_attribute_fixed: 'This attribute cannot change.',
    scim_target_missing: 'The path of a PATCH operation selects nothing.',
    sign_on_state_invalid:
      'This sign-in is unknown, expired, used or belongs to another browser. Start again at GET /auth/sso/start.',
    sign_on_rejected: 'The identity provider’s response is not valid. Start again at GET /auth/sso/start.',
  },
  401: {
    not_authenticated: 'Send a valid session token, or a valid API key and secret.',
    login_failed: 'These credentials are not valid.',
    challenge_invalid: 'This challenge is unknown, expired or no longer valid. Log in again.',
    code_wrong: 'This code is wrong, expired or was used. Send a new code.',
    passkey_rejected:
      'The response of the passkey does not belong to this request, or was used. Begin again.',
  },
  403: {
    account_closed:
      'This account was deleted. Until its erasure begins, an administrator can reopen it with POST /accounts/{id}/reopen.',
    account_forbidden: 'The caller does not belong to this account.',
    permission_denied: 'The caller does not have the required permission.',
    administrator_only: 'Only an administrator of the account may do this.',
    factor_required:
      'This account requires a second factor. Add one with POST /auth/factors, or log in again with your factor.',
    step_up_required:
      'This request needs a fresh proof of your identity. Send POST /auth/step-up with your password or a code, then repeat the request.',
    single_sign_on_required:
      'This account requires single sign-on for your address. Start at GET /auth/sso/start.',
    own_session_required: 'A session by single sign-on may not do this. Log in with your password.',
    sign_on_not_allowed: 'The identity provider’s user may not sign in to this account.',
    passkey_required:
      'This request requires a session that has proved a passkey. Log in with a passkey, or add one with POST /auth/factors.',
    mailbox_not_proved:
      'Your password was not set with a mailed token. First send POST /auth/password-reset-request.',
    shared_user: 'This user is not a member of this account only. Only the user can set a new password.',
    rule_needs_second_person:
      'Only an administrator who did not write this version of the rule can make it live.',
    run_needs_second_person:
      'Only a person who did not start this run can approve it. An API key counts as the user who created it.',
    impersonation_forbidden: 'This account forbids impersonation.',
    not_impersonable:
      'Only active users who are not administrators can be impersonated. You cannot impersonate yourself.',
    not_while_impersonating: 'An impersonated session may not do this. The user can do it in an own session.',
    impersonation_read_only:
      'This impersonation is read-only. For changes, begin an impersonation with {"write": true}.',
    users_only: 'Only a user may do this, not an API key.',
    grant_exceeds_own: 'A caller can grant only the permissions that it has.',
    grant_exceeds_type: 'An account can have only the permissions of its account type.',
    holds_more: 'Only a caller with all permissions of the record can change or remove the record.',
    own_expiry: 'An API key cannot change its own expiry.',
  },
  404: {
    not_found: 'No such record in this account.',
    route_not_found: 'No endpoint has this path. GET /openapi.json lists all paths.',
  },
  405: {
    method_not_allowed: 'This path does not support this method.',
  },
  409: {
    scim_not_unique: 'Another resource has this value.',
  },
  412: {
    version_mismatch: 'The record has changed. Read it again and send its new ETag.',
  },
  413: {
    body_too_large: 'The body is larger than 256 KB.',
  },
  422: {
    idempotency_key_reused: 'This Idempotency-Key was used for another request. Use a new key.',
  },
  429: {
    too_many_requests: 'Too many requests. Retry after the number of seconds in Retry-After.',
  },
  500: {
    internal_error: 'An unexpected error occurred. Include the x-request-id when you report it.',
  },
  503: {
    provider_unavailable:
      'The identity provider does not respond as expected. Retry after the number of seconds in Retry-After.',
    busy: 'The service is busy. Retry after the number of seconds in Retry-After.',
  },
} as const;

type Messages = typeof messages;

/** A stable, machine-readable code: the `error` field of every Error object. */
export type ErrorCode = { [S in keyof Messages]: keyof Messages[S] }[keyof Messages];

const catalogue = Object.fromEntries(
  Object.entries(messages).flatMap(([status, byCode]) =>
    Object.entries(byCode).map(([code, message]) => [code, { status: Number(status), message }]),
  ),
) as Record<ErrorCode, { status: number; message: string }>;

export const statusOf = (code: ErrorCode): number => catalogue[code].status;

export const messageOf = (code: ErrorCode): string => catalogue[code].message;

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
