import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ApiClient } from '../../infra/operations/api-client.ts';
import { eventually, type MailWorld, startMailWorld } from './world.ts';

interface Page<T> {
  data: T[];
}
interface Ticket {
  uniqueId: string;
  requesterEmail?: string;
}
interface Comment {
  authorType: string;
  body: string;
  visibility: string;
}
interface Mail {
  id: number;
  direction: string;
  state: string;
  automatic: boolean;
  subject: string;
  bounces: { kind: string }[];
}

let world: MailWorld;
const ends: (() => unknown)[] = [];
beforeAll(async () => {
  world = await startMailWorld(['ada', 'grace'], (end) => ends.push(end));
});
afterAll(async () => {
  for (const end of ends.reverse()) await end();
});

const listOf = async <T>(api: ApiClient, path: string): Promise<T[]> =>
  (await api.send<Page<T>>('GET', `${path}${path.includes('?') ? '&' : '?'}pageSize=100`)).data;

const ticketsOf = async (api: ApiClient, email: string): Promise<Ticket[]> =>
  (await listOf<Ticket>(api, '/tickets')).filter(({ requesterEmail }) => requesterEmail === email);

const turns = 30;

test.each([
  { user: 'ada', client: 'a client that sends References', sendsReferences: true },
  { user: 'grace', client: 'a client that only writes to the reply address', sendsReferences: false },
])(
  'a conversation of 30 turns with $client is one ticket, and one thread in the mailbox',
  async ({ user, sendsReferences }) => {
    const [{ address, administrator }] = world.companies;
    const customer = world.customers[user];
    if (!customer) throw new Error('There is no mailbox.');
    await customer.send({ to: address, subject: 'No receipt', text: 'Turn 1' });
    const ticket = await eventually(async () => (await ticketsOf(administrator, customer.address))[0]);
    const comments = () => listOf<Comment>(administrator, `/tickets/${ticket.uniqueId}/comments`);
    for (let turn = 2; turn <= turns; turn += 1) {
      const text = `Turn ${turn}`;
      if (turn % 2 === 0) {
        await administrator.send('POST', `/tickets/${ticket.uniqueId}/comments`, { body: { body: text } });
        await eventually(async () =>
          (await customer.received()).some((mail) => mail.text?.split('\n')[0]?.trim() === text),
        );
      } else {
        const last = (await customer.received()).at(-1);
        await customer.send({
          to: last?.replyTo?.[0]?.address ?? '',
          subject: `Re: ${last?.subject}`,
          text,
          ...(sendsReferences && { inReplyTo: last }),
        });
        await eventually(async () => (await comments()).some(({ body }) => body === text));
      }
    }
    const written = await comments();
    expect(written.map(({ body }) => body).sort()).toEqual(
      Array.from({ length: turns - 1 }, (_, n) => `Turn ${n + 2}`).sort(),
    );
    expect(new Set(written.map(({ visibility }) => visibility))).toEqual(new Set(['public']));
    expect(await ticketsOf(administrator, customer.address)).toHaveLength(1);
    expect(await customer.threads()).toBe(1);
  },
);

test('a mail that Postfix returns is recorded as bounced, and creates no ticket', async () => {
  const [{ administrator }] = world.companies;
  const { uniqueId } = await administrator.send<Ticket>('POST', '/tickets', {
    body: {
      subject: 'Nobody',
      description: 'The mailbox does not exist.',
      category: 'technical',
      requesterType: 'external',
      requesterName: 'Somebody',
      requesterId: 'nobody-here@customer.example',
      requesterEmail: 'nobody-here@customer.example',
    },
  });
  const before = (await listOf(administrator, '/tickets')).length;
  const { id } = await administrator.send<Mail>('POST', `/tickets/${uniqueId}/mails`, {
    body: { body: 'Are you there?' },
  });
  const returned = await eventually(async () => {
    const mail = await administrator.send<Mail>('GET', `/mails/${id}`);
    return mail.state === 'bounced' && mail;
  });
  expect(returned.bounces).toMatchObject([{ kind: 'permanent' }]);
  expect(await listOf(administrator, '/tickets')).toHaveLength(before);
});

test('two accounts with automatic replies that write to each other send at most two automatic mails', async () => {
  const [one, other] = world.companies;
  const { uniqueId } = await one.administrator.send<Ticket>('POST', '/tickets', {
    body: {
      subject: 'A question for Globex',
      description: 'How are you?',
      category: 'technical',
      requesterType: 'external',
      requesterName: 'Somebody',
      requesterId: other.address,
      requesterEmail: other.address,
    },
  });
  await one.administrator.send('POST', `/tickets/${uniqueId}/mails`, { body: { body: 'How are you?' } });
  await eventually(async () => (await ticketsOf(other.administrator, one.address))[0]);
  const automatic = async () => {
    const mails = await Promise.all(
      world.companies.map(({ administrator }) => listOf<Mail>(administrator, '/mails?direction=outgoing')),
    );
    const about = mails.flat().filter(({ subject }) => subject.includes('A question for Globex'));
    return about.filter((mail) => mail.automatic).length;
  };
  // The replies stop: in five seconds, no automatic mail is added.
  await eventually(async () => {
    const before = await automatic();
    await new Promise((resolve) => setTimeout(resolve, 5_000));
    return before === (await automatic());
  });
  expect(await automatic()).toBeGreaterThan(0);
  expect(await automatic()).toBeLessThanOrEqual(2);
});
