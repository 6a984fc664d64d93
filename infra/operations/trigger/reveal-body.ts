import type { LoggedEvent } from '../../../shared/events/schema.ts';
import type { Caller } from './caller.ts';
import { lead } from './records.ts';

/** The number of attempts to create a record while capture is on. Another caller may switch capture off. */
const mostAttempts = 5;

/** Creates a lead while the account captures bodies, and shows a body of this request. Then switches capture off again. */
export async function revealBody(caller: Caller, part: 'request' | 'response'): Promise<{ id: string }> {
  const { send, account, atEnd } = caller;
  const path = `/accounts/${account}`;
  const { bodyCaptureUntil = '' } = await send<{ bodyCaptureUntil?: string }>('GET', path);
  const wasOn = Date.parse(bodyCaptureUntil) > Date.now();
  if (!wasOn) atEnd(() => send('DELETE', `${path}/body-capture`));
  for (let attempt = 1; ; attempt++) {
    if (!wasOn) await send('PUT', `${path}/body-capture`, { days: 1 });
    const { id } = await lead(caller);
    const { data } = await send<{ data: LoggedEvent[] }>('GET', `/events?subjectId=${id}`);
    const event = data.find(({ hasRequestBody, hasResponseBody }) => hasRequestBody && hasResponseBody);
    if (event) {
      const reason = 'Requested with npm run ops -- events trigger.';
      await send('POST', `/events/${event.id}/${part}-body`, { reason });
      return { id: account };
    }
    if (attempt === mostAttempts) throw new Error('The service captured no body of the request.');
  }
}
