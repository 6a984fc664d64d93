import { array, boolean, dateTime, object, oneOf, optional, recordId, string } from '../schema.ts';
import { changeEvents, event, happening, happeningsOf, resource } from './declare.ts';
import { changed, noData } from './event-data.ts';
import { because, changedField, changedNotice, did, noticeOf } from './text.ts';

const userOf = {
  userId: recordId(),
  email: string({ examples: ['grace@example.com'] }),
};
const aboutUser = object(userOf);
const aboutFactor = object({
  ...userOf,
  type: oneOf(['totp', 'passkey']),
  name: string({ examples: ['Phone'] }),
});
const ofUser = { label: 'email', link: { path: '/users', opens: 'users' } } as const;

export const userResource = resource({
  name: 'user',
  readers: 'own',
  portal: 'record',
  searched: true,
  exported: { type: 'member' },
  items: {
    user: 'secret',
    administrator: 'derived',
    impersonation: { without: ['home', 'sessionId'] },
    'open-impersonations': 'derived',
    'open-invitations': 'secret',
    factors: 'secret',
    'passkey-holder': 'secret',
    'subscriber-marker': 'derived',
    'subscriber-rows': 'derived',
  },
  unlogged: {
    MEMBER: 'without an event',
    INVITATIONMAILS: 'later',
    USER: 'without an event',
    IMPERSONATION: 'without an event',
    SUBSCRIBERS: 'later',
  },
  reference: { place: 12, description: 'People, and their roles and permissions in an account.' },
  prefixes: ['user', 'admin'],
  events: {
    user_created: event(changed, 'A user was created and invited.', did('invited')),
    user_updated: event(changed, 'A user or a user’s membership changed.', changedNotice),
    user_deleted: changeEvents('user', 'A user').user_deleted,
    user_logged_in: event(
      object({
        method: oneOf(['password', 'api_key', 'passkey', 'single_sign_on'], {
          description: '`passkey`: the user logged in with a passkey, without a password.',
        }),
        factor: optional(
          oneOf(['totp', 'recovery_code', 'passkey', 'single_sign_on'], {
            description:
              'The second factor that the user proved. `single_sign_on`: the identity provider asked for it.',
          }),
        ),
      }),
      'A user or an API key logged in.',
      noticeOf('logged in', '{actor} logged in.'),
      { about: ['user', 'api_key'], unindexed: true },
    ),
    user_logged_out: event(
      object({ sessions: oneOf(['one', 'all']) }),
      'A user or an API key logged out.',
      noticeOf('logged out', '{actor} logged out.'),
      { about: ['user', 'api_key'], unindexed: true },
    ),
    user_password_changed: event(
      object({ by: oneOf(['password', 'token'], { description: 'How the user was authenticated.' }) }),
      'A user set a new password.',
      noticeOf('password changed', 'The password of {record} was changed.'),
      { unindexed: true },
    ),
    user_password_reset_requested: event(
      noData,
      'A password reset email was requested for a user.',
      noticeOf('password reset requested', 'A password reset was requested for {record}.'),
      { unindexed: true },
    ),
    admin_force_set_password: event(
      noData,
      'An administrator set a user’s password.',
      noticeOf('password set', '{actor} set the password of {record}.'),
      { unindexed: true },
    ),
    user_impersonated: event(
      object({
        reason: string({ examples: ['Ticket TKT-000001: the list of leads is empty'] }),
        write: boolean({ description: 'Whether the session can change records.' }),
        expiresAt: dateTime(),
      }),
      'An administrator began to act as a user.',
      noticeOf(
        'impersonated',
        `{actor} can read as {record} until {expiresAt}, and can change nothing.${because}`,
        {
          variants: [
            {
              if: { write: 'true' },
              body: `{actor} can read and change records as {record} until {expiresAt}.${because}`,
            },
          ],
        },
      ),
      { unindexed: true },
    ),
    user_permissions_set_directly: event(
      changed,
      'The permissions that a user has directly, not through a role, were set.',
      changedField('permissions'),
      { unindexed: true },
    ),
    user_roles_updated: event(
      object({
        from: array(string({ examples: ['Sales agent'] })),
        to: array(string({ examples: ['Underwriter'] })),
      }),
      'The roles of a user were set.',
      changedField('roles'),
      { unindexed: true },
    ),
    user_added_to_account: event(
      changed,
      'An existing user was invited to the account.',
      noticeOf('invited to the account', '{actor} invited {record} to the account.'),
    ),
    user_removed_from_account: event(
      noData,
      'A user’s membership of the account ended.',
      noticeOf('removed from the account', '{Record} is no longer a member of the account.'),
    ),
    user_account_settings_updated: event(
      changed,
      'The notification preferences of a user changed.',
      changedField('notification settings'),
      { unindexed: true },
    ),
  },
  happenings: {
    ...happeningsOf('factor', {
      factor_added: happening(
        'created',
        aboutFactor,
        'A user added a second factor. From then on, the user’s logins need a factor.',
        noticeOf('added', '{actor} added the second factor {name} for {email}.'),
        ofUser,
      ),
      factor_removed: happening(
        'deleted',
        aboutFactor,
        'A user removed a second factor.',
        noticeOf('removed', '{actor} removed the second factor {name} of {email}.'),
        ofUser,
      ),
      factor_codes_rejected: happening(
        'updated',
        aboutUser,
        'Five wrong codes in a row were sent after the right password of a user. Further codes have to wait.',
        noticeOf(
          'codes rejected',
          'Somebody sent the right password and five wrong codes for {email}. If it was not the user, the user should set a new password.',
        ),
        ofUser,
      ),
      factor_reset: happening(
        'deleted',
        aboutUser,
        'An administrator or an operator removed all second factors of a user.',
        noticeOf('reset', '{actor} removed all second factors of {email}.'),
        ofUser,
      ),
    }),
    ...happeningsOf('identity', {
      identity_proved: happening(
        'updated',
        object({
          ...userOf,
          factor: optional(oneOf(['totp', 'recovery_code', 'passkey', 'single_sign_on'])),
          purpose: optional(
            string({
              description: 'The purpose of the single-use token. Absent if the proof is for the session.',
              examples: ['reveal'],
            }),
          ),
        }),
        'A signed-in user proved the identity again.',
        noticeOf('proved again', '{actor} proved the identity of {email} again.'),
        ofUser,
      ),
    }),
    ...happeningsOf('recovery_codes', {
      recovery_codes_renewed: happening(
        'updated',
        aboutUser,
        'A user replaced the recovery codes.',
        noticeOf('renewed', '{actor} replaced the recovery codes of {email}.'),
        ofUser,
      ),
    }),
    ...happeningsOf('impersonation', {
      impersonation_ended: happening(
        'updated',
        object({
          userId: recordId({ description: 'The user that an administrator could act as.' }),
          email: string({ examples: ['grace@example.com'] }),
          startedBy: optional(string({ description: 'The administrator.', examples: ['admin@example.com'] })),
          startedAt: dateTime(),
          write: boolean({ description: 'Whether the session could change records.' }),
        }),
        'A user or an administrator ended an impersonation before it expired.',
        noticeOf('ended', '{actor} ended the access of {startedBy|an administrator} as {email}.'),
        ofUser,
      ),
    }),
  },
});
