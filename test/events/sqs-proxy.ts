import { text } from 'node:stream/consumers';
import { afterAll } from 'vitest';
import { startLoopbackServer } from '../../infra/administration/loopback-server.ts';

interface Batch {
  QueueUrl: string;
  Entries: { Id: string; MessageBody: string }[];
}

/** How the proxy reports a message that it does not forward: as failed, as invalid, or not at all. */
type Loss = 'failed' | 'wrong' | 'missing' | undefined;

/** The batches that the proxy received, and the faults of the next batches. */
export const sqsProxy = {
  batches: [] as Batch[],
  lose: (_body: string, _queueUrl: string): Loss => undefined,
  /** If true, every batch fails. */
  down: false,
  /** Reports whether batches to the queue with this URL get no response. */
  hangs: (_queueUrl: string): boolean => false,

  reset(): void {
    Object.assign(sqsProxy, { batches: [], lose: () => undefined, down: false, hangs: () => false });
  },
};

/**
 * Starts a proxy between the relay and the queue engine. The proxy does not forward the messages that `lose` selects,
 * and reports them with the error codes of SQS. Returns the proxy's URL.
 */
export async function startSqsProxy(engine: string): Promise<string> {
  const server = await startLoopbackServer(async (request, response) => {
    const answer = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' }).end(JSON.stringify(body));
    const batch = JSON.parse(await text(request)) as Batch;
    sqsProxy.batches.push(batch);
    if (sqsProxy.hangs(batch.QueueUrl)) return;
    if (sqsProxy.down) return answer(500, { __type: 'InternalError' });
    const losses = new Map(
      batch.Entries.map(({ Id, MessageBody }) => [Id, sqsProxy.lose(MessageBody, batch.QueueUrl)]),
    );
    const Entries = batch.Entries.filter(({ Id }) => losses.get(Id) === undefined);
    const { 'x-amz-target': target = '', authorization = '', 'x-amz-date': date = '' } = request.headers;
    const headers = {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': String(target),
      'x-amz-date': String(date),
      authorization,
    };
    const taken =
      Entries.length === 0
        ? { Successful: [] }
        : await (
            await fetch(engine, { method: 'POST', headers, body: JSON.stringify({ ...batch, Entries }) })
          ).json();
    const Failed = [...losses].flatMap(([Id, loss]) =>
      loss === undefined || loss === 'missing'
        ? []
        : loss === 'wrong'
          ? [{ Id, Code: 'InvalidMessageContents', SenderFault: true }]
          : [{ Id, Code: 'InternalError', SenderFault: false }],
    );
    return answer(200, { ...(taken as object), Failed });
  });
  afterAll(server.stop);
  return server.endpoint;
}
