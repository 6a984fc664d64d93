import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { Message } from '../../shared/endpoints/message.ts';
import { countRequest } from '../../shared/people/sessions/throttle-login.ts';
import { voidPasswordToken } from '../../shared/people/users/password-tokens.ts';
import { normalizeEmail } from '../../shared/people/users/rules.ts';
import { passwordResetRequested } from '../../shared/people/users/set-password.ts';
import { users } from '../../shared/people/users/store.ts';
import { email, object } from '../../shared/schema.ts';

export default endpoint({
  method: 'POST',
  path: '/auth/password-reset-request',
  access: 'public',
  body: object({ email: email() }),
  response: Message,
  errors: ['too_many_requests'],
  emits: ['user_password_reset_requested'],
  noDryRun: 'A dry run would reveal whether a user exists.',
  summary: 'Request a password reset email',
  description: 'The response is the same whether or not the user exists. The token is sent only by email.',
  decide: async ({ body, ipAddress, now, runOnce }) => {
    const name = normalizeEmail(body.email);
    await runOnce(() => countRequest({ name, source: ipAddress }, now));
    const user = await users.findByEmailAcrossAccounts(name);
    const response = { message: 'If the user exists, an email is being sent.' };
    // For an unknown user, writes a token that is never valid. This write takes as long as storing the event,
    // so the response time does not reveal whether the user exists.
    if (!user) return { response, writes: [voidPasswordToken(name, now)], events: [] };
    return { response, writes: [], events: passwordResetRequested(user) };
  },
});
