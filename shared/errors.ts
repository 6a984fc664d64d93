/**
 * Every error the service can respond with: its stable code, its HTTP status, and the message it carries
 * unless the code that throws it gives a more exact one. Interface, "Errors".
 */
const catalogue = {
  invalid_json: [400, 'Send a body that is one valid JSON object in UTF-8.'],
  invalid_input: [400, 'One or more fields are not valid; see `details`.'],
  account_required: [400, 'Name the account with the x-account-id header.'],
  invalid_idempotency_key: [400, 'An Idempotency-Key is 1 to 255 printable ASCII characters.'],
  invalid_if_match: [400, 'If-Match takes one ETag as the service sent it, for example "3".'],
  record_too_large: [400, 'A record may hold at most 300 KB.'],
  page_too_deep: [
    400,
    'page × pageSize reaches at most the newest 10,000 records, or as many of them as make 8 MB.',
  ],
  page_too_large: [400, 'These records are too large for one page; ask for a smaller pageSize.'],
  quota_exceeded: [400, 'This account has as many of these as it may have. Delete one first.'],
  team_required: [400, 'This account has teams: name one of its active teams in teamId.'],
  team_unknown: [400, 'teamId names no active team of this account.'],
  lead_source_required: [400, 'This team has lead sources: name one of them in leadSourceId.'],
  lead_source_unknown: [400, 'leadSourceId names no active lead source of this team.'],
  user_unknown: [400, 'This names no active user of the account.'],
  email_exists: [400, 'A user with this email exists already.'],
  already_member: [400, 'This user belongs to the account already.'],
  own_membership: [
    400,
    'Nobody can deactivate or demote themselves here; leaving has an endpoint of its own.',
  ],
  last_administrator: [400, 'An account keeps an administrator: make somebody else one, then leave.'],
  token_invalid: [400, 'This token is unknown, used, expired or void. Ask for a password reset.'],
  password_wrong: [400, 'The current password is not right.'],
  role_unknown: [400, 'roles holds a name that no role of this account has.'],
  role_name_taken: [400, 'A role of this account has this name already.'],
  preferences_invalid: [
    400,
    'notificationPreferences holds an event twice, or an account that is not the user’s.',
  ],
  rotation_invalid: [400, 'userRotationArray must name active or inactive users of the account, each once.'],
  rotation_unknown: [400, 'rotationId names no ticket rotation of this account.'],
  ticket_type_unknown: [400, 'This names no ticket type of this account.'],
  mapping_exists: [400, 'This partner category has a mapping already. Change that one.'],
  custom_field_type_fixed: [
    400,
    'A custom field keeps its type for good, also once it was taken out. Take another key.',
  ],
  position_out_of_range: [400, 'currentPosition lies outside the weighted rotation.'],
  secrets_overlap: [
    400,
    'The secret before still signs. Wait until it ends, or end it with {"expireNow": true}.',
  ],
  webhook_inactive: [400, 'This webhook is inactive: make it active first.'],
  files_closed: [400, 'This record’s files stay as they are: it is decided.'],
  too_many_files: [400, 'A record has at most 100 documents, and 10 of one key. Delete one first.'],
  upload_missing: [400, 'The file of this document has not been uploaded, or changed just now.'],
  upload_unfit: [400, 'The file that was uploaded is not the one that was described.'],
  event_not_sealed: [
    400,
    'This event is not sealed yet. Events are sealed 5 to 15 minutes after they happened.',
  ],
  event_altered: [
    400,
    'This event is not what was sealed: it, or what the seal was made of, was altered. Ask an operator to run events:verify.',
  ],
  permission_unknown: [400, 'flatPermissionsList holds a name that GET /permissions does not list.'],
  application_not_pending: [400, 'This application was submitted already: it can no longer be changed.'],
  application_not_submitted: [
    400,
    'This application is not waiting for a decision: only a submitted one is.',
  ],
  application_incomplete: [400, 'This account takes complete applications only; see `details`.'],
  application_not_deletable: [400, 'Only a pending or rejected application can be deleted.'],
  id_retired: [400, 'A record with this id was deleted, and no other gets its id.'],
  mid_taken: [400, 'Another MID of this account has this number.'],
  merchant_unknown: [400, 'merchantId names no merchant of this account.'],
  merchant_has_mids: [400, 'This merchant has MIDs: delete them, or move them to another merchant, first.'],
  ticket_type_inactive: [400, 'This ticket type is inactive: it takes no new tickets.'],
  too_many_tags: [400, 'A ticket has at most 50 tags. Remove one first.'],
  not_authenticated: [401, 'Send a valid session token, or a valid API key and secret.'],
  login_failed: [401, 'These credentials are not valid.'],
  account_forbidden: [403, 'The caller does not belong to this account.'],
  permission_denied: [403, 'The caller lacks the permission for this.'],
  administrator_only: [403, 'Only an administrator of the account may do this.'],
  owner_account_only: [
    403,
    'Only the user, or an administrator of the account where it was made, may do this.',
  ],
  shared_user: [403, 'This user has other accounts: only it, or a reset by mail, sets its password.'],
  users_only: [403, 'Only a user may do this, not an API key.'],
  grant_exceeds_own: [403, 'A caller can grant only permissions that it holds.'],
  holds_more: [
    403,
    'This holds permissions that the caller lacks, who therefore cannot change or remove it.',
  ],
  own_expiry: [403, 'No API key changes its own expiry.'],
  not_found: [404, 'There is nothing here for this account.'],
  route_not_found: [404, 'No endpoint has this path. GET /openapi.json lists them all.'],
  method_not_allowed: [405, 'This path exists, but not with this method.'],
  version_mismatch: [412, 'The record has changed since; read it again and send its new ETag.'],
  body_too_large: [413, 'A body may hold at most 256 KB.'],
  idempotency_key_reused: [422, 'This Idempotency-Key was used with another body. Take a new key.'],
  too_many_requests: [429, 'Too many requests; wait as long as Retry-After says.'],
  internal_error: [500, 'Something failed on our side. Quote the x-request-id when you report it.'],
  busy: [503, 'The service is busy; try again after as many seconds as Retry-After says.'],
} as const satisfies Record<string, readonly [status: number, message: string]>;

/** A stable, machine-readable code: the `error` field of every Error object. */
export type ErrorCode = keyof typeof catalogue;

/** The HTTP status of the response for a code. */
export const statusOf = (code: ErrorCode): number => catalogue[code][0];

/** The message of a code, unless the error brings its own. */
export const messageOf = (code: ErrorCode): string => catalogue[code][1];

/** What is wrong with one field of a request; `field` is a path such as `members[0].weight`. */
export interface FieldError {
  field: string;
  message: string;
}

interface ApiErrorOptions {
  message?: string;
  details?: FieldError[];
  headers?: Record<string, string>;
  /** The name of the AWS error behind it, for the log alone. */
  cause?: string;
}

/**
 * Ends a request with an Error object as its response. Rules and stores throw it with a code; only the HTTP layer
 * turns the code into a status.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly details?: FieldError[];
  readonly headers: Record<string, string>;

  constructor(
    readonly code: ErrorCode,
    extras: ApiErrorOptions = {},
  ) {
    super(extras.message ?? messageOf(code), { cause: extras.cause });
    this.details = extras.details;
    this.headers = extras.headers ?? {};
  }
}

/**
 * A 503 for a request that ran out of time; the client may retry after a second. `cause`: the name of the AWS error that
 * took the time. Only the log contains it.
 */
export const busy = (cause?: string): ApiError =>
  new ApiError('busy', { headers: { 'retry-after': '1' }, cause });

/** A 400 that names the field at fault. */
export const invalid = (field: string, message: string, code: ErrorCode = 'invalid_input'): ApiError =>
  new ApiError(code, { details: [{ field, message }] });
