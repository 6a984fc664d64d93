import fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import { toHttpEvent } from '../../infra/local/http-event.ts';
import { createLead, readLead } from './plain-handlers.ts';

/**
 * The second server that the bench compares `npm start` with: two handlers of plain-handlers.ts behind Fastify, in one
 * process. It uses the engine of `npm start`, so it shows which part of the time the engine and its client take. It
 * stores events, but does not process them. The argument is the headers of a request, as JSON.
 */
const [headers = '{}'] = process.argv.slice(2);
const app = fastify({ logger: true });

const serve =
  (path: string, handler: typeof readLead) =>
  async ({ method, url, raw, ip, body, params }: FastifyRequest, reply: FastifyReply) => {
    const text = Buffer.from(body === undefined ? '' : JSON.stringify(body));
    const request = { method, target: url, headers: raw.rawHeaders, body: text, sourceIp: ip };
    const match = { route: { method, path }, params: params as Record<string, string> };
    const response = await handler(toHttpEvent(request, match));
    return reply
      .status(response.statusCode ?? 200)
      .headers(response.headers as Record<string, string>)
      .send(response.body);
  };
app.get('/leads/:leadId', serve('/leads/{leadId}', readLead));
app.post('/leads', serve('/leads', createLead));

const url = await app.listen({ port: 0, host: '127.0.0.1' });
process.send?.({ url, headers: JSON.parse(headers) });
process.once('disconnect', () => process.exit());
