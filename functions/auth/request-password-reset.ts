import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { Message } from '../../shared/endpoints/message.ts';
import { normalizeEmail } from '../../shared/formats.ts';
import { takeResetRequest } from '../../shared/people/sessions/throttle-login.ts';
import { resetRequestWrites } from '../../shared/people/users/request-reset.ts';
import { email, object } from '../../shared/schema.ts';

export default endpoint({
  method: 'POST',
  path: '/auth/password-reset-request',
  access: 'public',
  body: object({ email: email() }),
  response: Message,
  errors: ['too_many_requests'],
  writes: true,
  rights: ['sign-ins:keep'],
  noDryRun: 'A dry run would request nothing, and the response is always the same.',
  summary: 'Request a password reset email',
  description:
    'The response is the same whether or not the user exists. The token is sent only by email. Each address gets at most ' +
    'five mails in an hour. Further requests have the same response.',
  decide: async ({ body, path, headers, ipAddress, now, runOnce }) => {
    const name = normalizeEmail(body.email);
    const sendsMail = await runOnce(() => takeResetRequest({ name, source: ipAddress }, now));
    const { 'user-agent': agent = '' } = headers;
    const trace = { method: 'POST', path, headers: { 'user-agent': agent.slice(0, 256) }, ipAddress };
    return {
      response: { message: 'If the user exists, an email is being sent.' },
      writes: sendsMail ? resetRequestWrites(name, trace, now) : [],
      events: [],
    };
  },
});
