import { createHash, randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { SMTPServer, type SMTPServerSession } from 'smtp-server';
import { parserLimits } from '../../shared/correspondence/incoming/parse-mail.ts';
import { verdictValues } from '../../shared/correspondence/incoming/read-notification.ts';
import { putObject } from '../../shared/documents/bucket.ts';
import { queueUrlVariable } from '../../shared/events/queues.ts';
import { CannotStart } from '../administration/cannot-start.ts';

interface MailServerOptions {
  /** Port 0 selects any free port. Default: 2525, or any free port if 2525 is in use. */
  port?: number;
  sqs: SQSClient;
}

interface MailServer {
  port: number;
  stop(): Promise<void>;
}

/** How long the storage of a mail is retried, in milliseconds. */
const longest = 10_000;

/**
 * Starts an SMTP server on 127.0.0.1 in place of SES's receipt rules: it stores each mail in the bucket and sends SES's
 * notification to the queue. It cannot check senders, so all verdicts are PASS, unless the header `X-Local-Verdicts` of the
 * mail has others: `dmarc=FAIL dmarcPolicy=reject`. Throws CannotStart if the port is in use.
 */
export async function startMailServer({ port, sqs }: MailServerOptions): Promise<MailServer> {
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    size: parserLimits.raw,
    banner: 'merchant-ops',
    onData(stream, session, callback) {
      buffer(stream)
        .then((raw) =>
          stream.sizeExceeded
            ? Promise.reject(
                Object.assign(new Error('The mail is larger than 30 MB.'), { responseCode: 552 }),
              )
            : receive(raw, session, sqs),
        )
        .then(
          (id) => callback(null, `Received as ${id}`),
          (error: Error) => callback(error),
        );
    },
  });
  // A client that closes its connection early is no error of the service.
  server.on('error', () => undefined);
  await listen(server, port ?? usualPort).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error;
    if (port !== undefined)
      throw new CannotStart(`Port ${port} for mail is in use. Set SMTP_PORT to another port.`);
    return listen(server, 0);
  });
  const address = server.server.address();
  return {
    port: typeof address === 'object' && address ? address.port : usualPort,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

const usualPort = 2525;

const listen = (server: SMTPServer, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.server.off('error', reject);
      resolve();
    });
  });

async function receive(raw: Buffer, { envelope }: SMTPServerSession, sqs: SQSClient): Promise<string> {
  const now = new Date();
  const id = randomBytes(20).toString('hex');
  const objectKey = `mail/${id}`;
  const sha256 = createHash('sha256').update(raw).digest('hex');
  const timing = { now, deadline: Date.now() + longest };
  await putObject(objectKey, raw, { contentType: 'message/rfc822', sha256 }, timing);
  const recipients = envelope.rcptTo.map(({ address }) => address);
  const source = envelope.mailFrom ? envelope.mailFrom.address : '';
  const QueueUrl = process.env[queueUrlVariable('incoming')];
  const MessageBody = JSON.stringify({
    notificationType: 'Received',
    mail: { timestamp: now.toISOString(), source, messageId: id, destination: recipients },
    receipt: {
      timestamp: now.toISOString(),
      recipients,
      ...verdictsIn(raw),
      action: { type: 'S3', topicArn: 'local', bucketName: process.env.BUCKET_NAME, objectKey },
    },
  });
  await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody }));
  return id;
}

/** The header is read in the first part of the mail. */
const headerBytes = 64 * 1024;

/** The verdicts of SES's receipt, with those in the header `X-Local-Verdicts`. */
function verdictsIn(raw: Buffer): object {
  const header =
    raw
      .subarray(0, headerBytes)
      .toString('latin1')
      .split(/\r?\n\r?\n/)[0] ?? '';
  const [, text = ''] = /^x-local-verdicts:(.*)$/im.exec(header) ?? [];
  const sent = new Map(
    text
      .trim()
      .split(/[\s,;]+/)
      .map((pair) => pair.split('='))
      .map(([name = '', value = '']) => [name.toLowerCase(), value]),
  );
  const status = (name: string) => ({
    status: verdictValues.find((value) => value === sent.get(name)?.toUpperCase()) ?? 'PASS',
  });
  const policy = sent.get('dmarcpolicy');
  return {
    spfVerdict: status('spf'),
    dkimVerdict: status('dkim'),
    dmarcVerdict: status('dmarc'),
    ...(policy && { dmarcPolicy: policy }),
    spamVerdict: status('spam'),
    virusVerdict: status('virus'),
  };
}
