import { createHash, randomUUID } from 'node:crypto';
import fastify from 'fastify';
import pg from 'pg';

/**
 * The server that the bench compares `npm start` with: a plain server on PostgreSQL. It checks session, user,
 * membership and permission in one query, stores each change with its audit row in one transaction, and logs
 * each request. The argument is the folder of PostgreSQL's socket.
 */
const [host = ''] = process.argv.slice(2);
const pool = new pg.Pool({ host, user: 'postgres', database: 'postgres', max: 8 });
const token = 'a session token of the bench';
const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

await pool.query(`
  CREATE TABLE sessions (hash text PRIMARY KEY, user_id bigint NOT NULL, expires_at timestamptz NOT NULL);
  CREATE TABLE accounts (id text PRIMARY KEY, name text NOT NULL, active boolean NOT NULL);
  CREATE TABLE users (id bigint PRIMARY KEY, email text NOT NULL, active boolean NOT NULL);
  CREATE TABLE members (user_id bigint, account_id text, permissions text[] NOT NULL, PRIMARY KEY (user_id, account_id));
  CREATE TABLE leads (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, account_id text NOT NULL, version int NOT NULL DEFAULT 1,
    first_name text NOT NULL, last_name text NOT NULL, email text, created_by bigint NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(), updated_at timestamptz NOT NULL DEFAULT now());
  CREATE INDEX ON leads (account_id, id DESC);
  CREATE TABLE audit (
    id uuid PRIMARY KEY, account_id text NOT NULL, lead_id bigint NOT NULL, kind text NOT NULL, user_id bigint NOT NULL,
    data jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now());
  CREATE INDEX ON audit (lead_id, created_at DESC);
`);
await pool.query(`INSERT INTO accounts VALUES ('acme', 'Analytical Engines', true)`);
await pool.query(`INSERT INTO users VALUES (1, 'ada@example.com', true)`);
await pool.query(`INSERT INTO sessions VALUES ($1, 1, now() + interval '12 hours')`, [hashOf(token)]);
await pool.query(`INSERT INTO members VALUES (1, 'acme', '{readLeads,writeLeads}')`);

/** Returns the id of the user; throws an error with a status if the session or the permission is missing. */
async function authorize(headers: Record<string, unknown>, permission: string): Promise<number> {
  const sent = String(headers.authorization).replace(/^Bearer /, '');
  const { rows } = await pool.query({
    name: 'authorize',
    text: `SELECT user_id, permissions FROM sessions JOIN users ON users.id = user_id JOIN members USING (user_id)
           JOIN accounts ON accounts.id = account_id
           WHERE hash = $1 AND account_id = $2 AND expires_at > now() AND users.active AND accounts.active`,
    values: [hashOf(sent), headers['x-account-id']],
  });
  if (rows.length === 0) throw Object.assign(new Error('Not authenticated'), { statusCode: 401 });
  if (!rows[0].permissions.includes(permission))
    throw Object.assign(new Error('Permission denied'), { statusCode: 403 });
  return rows[0].user_id;
}

const app = fastify({ logger: true });

app.get<{ Params: { id: string } }>('/leads/:id', async ({ headers, params }, reply) => {
  await authorize(headers, 'readLeads');
  const [lead, auditLog] = await Promise.all([
    pool.query({
      name: 'lead',
      text: 'SELECT * FROM leads WHERE account_id = $1 AND id = $2',
      values: [headers['x-account-id'], params.id],
    }),
    pool.query({
      name: 'audit',
      text: 'SELECT * FROM audit WHERE lead_id = $1 ORDER BY created_at DESC LIMIT 100',
      values: [params.id],
    }),
  ]);
  if (lead.rows.length === 0) return reply.status(404).send({ message: 'There is no such lead.' });
  return { ...lead.rows[0], auditLog: auditLog.rows };
});

const body = {
  type: 'object',
  required: ['firstName', 'lastName'],
  properties: {
    firstName: { type: 'string', minLength: 1, maxLength: 200 },
    lastName: { type: 'string', minLength: 1, maxLength: 200 },
    email: { type: 'string' },
  },
  additionalProperties: false,
};
interface NewLead {
  firstName: string;
  lastName: string;
  email?: string;
}

app.post<{ Body: NewLead }>('/leads', { schema: { body } }, async ({ headers, body: sent }, reply) => {
  const user = await authorize(headers, 'writeLeads');
  const account = headers['x-account-id'];
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const { rows } = await client.query({
      name: 'insert-lead',
      text: `INSERT INTO leads (account_id, first_name, last_name, email, created_by)
             VALUES ($1, $2, $3, $4, $5) RETURNING *`,
      values: [account, sent.firstName, sent.lastName, sent.email, user],
    });
    await client.query({
      name: 'insert-audit',
      text: 'INSERT INTO audit (id, account_id, lead_id, kind, user_id, data) VALUES ($1, $2, $3, $4, $5, $6)',
      values: [randomUUID(), account, rows[0].id, 'lead_created', user, sent],
    });
    await client.query('COMMIT');
    return reply.status(201).send(rows[0]);
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    client.release();
  }
});

const url = await app.listen({ port: 0, host: '127.0.0.1' });
process.send?.({ url, headers: { authorization: `Bearer ${token}`, 'x-account-id': 'acme' } });
process.once('disconnect', () => process.exit());
