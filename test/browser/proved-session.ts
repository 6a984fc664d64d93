import { expect } from 'vitest';
import { running } from './service-page.ts';

interface Messages {
  messages: { kind: string; id: string; subject: string }[];
}

/** Sends a request to the API, and returns the body of the response. */
export async function post<T>(path: string, body: object, token?: string): Promise<T> {
  const response = await fetch(running.credentials.baseUrl + path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  });
  return (await response.json()) as T;
}

/** Sets the administrator's password with the mailed token, because a factor needs a proved mailbox. Returns a session. */
export async function provedSession(password: string): Promise<string> {
  const email = running.credentials.adminEmail;
  await post('/auth/password-reset-request', { email });
  const find = async () =>
    (await running.read<Messages>('messages')).messages.find(
      ({ subject }) => subject === 'Reset your password',
    );
  await expect.poll(find, { timeout: 30_000 }).toBeDefined();
  const { kind, id } = (await find()) ?? expect.fail('There is no mail.');
  const { codes } = await running.read<{ codes: string[] }>(`messages/${kind}/${id}`);
  await post('/auth/password-reset', { token: codes[0], password });
  return (await post<{ token: string }>('/auth/login', { email, password })).token;
}
