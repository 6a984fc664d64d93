import type { MessageFolder } from '../../../shared/channels/channels.ts';
import { asAccountId } from '../../../shared/id/account-id.ts';
import type { AddEndpoints } from './add-endpoints.ts';
import type { Frames } from './frames.ts';

interface OneMessage {
  Params: { kind: string; id: string };
}

/** The list contains at most this number of messages, the newest ones. */
const mostListed = 200;

/** The endpoints of the screen Mailbox. They import their modules at the first request; see home.ts. */
export const mailboxEndpoints =
  (folder: (name: MessageFolder) => string, frames: Frames): AddEndpoints =>
  (app) => {
    app.get('/messages', async () => {
      const { listMessages } = await import('./stored-messages.ts');
      const { waitingDigests } = await import('./send-digest-now.ts');
      return { ...(await listMessages(folder, mostListed)), digests: await waitingDigests(new Date()) };
    });
    app.get<OneMessage>('/messages/:kind/:id', async ({ params: { kind, id } }, reply) => {
      const { findMessage } = await import('./stored-messages.ts');
      const { explainMessage } = await import('./explain-message.ts');
      const message = await findMessage(folder, kind, id);
      if (!message) return reply.code(404).send({ message: 'This message does not exist.' });
      const { html, ...shown } = message;
      return {
        ...shown,
        ...(html !== undefined && { frame: frames.show(html) }),
        sentFor: await explainMessage(message, new Date()),
      };
    });
    app.post<{ Body: Record<string, unknown> | null }>('/digests/send', async ({ body }, reply) => {
      const { isCadence, sendDigestNow } = await import('./send-digest-now.ts');
      const { digest, period, userId } = body ?? {};
      const account = asAccountId(String(body?.account));
      if (!account || !isCadence(digest) || typeof period !== 'string' || typeof userId !== 'number')
        return reply.code(400).send({ message: 'The digest is not valid.' });
      return sendDigestNow(account, { digest, period, userId });
    });
  };
